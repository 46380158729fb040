"""The table in a browser: the virtual one to play on, a real one to look at, a record to step through.

Nothing here is imported before it is asked for (`arbitre table`, `arbitre play GAME --web`).
"""

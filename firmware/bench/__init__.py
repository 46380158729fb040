"""Our figures beside the peers', each printed by `arbitre bench`."""

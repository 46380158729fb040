# mypy: ignore-errors
# Runs under MicroPython: plays recorded dialogues to the generators of iso14443 and prints what they say.
import json
import sys

sys.path.append("/")
import iso14443

print(sys.implementation.name, sys.implementation.version[0], sys.implementation.version[1])
with open("/dialogues.json") as source:
    dialogues = json.load(source)
for name, args, answers in dialogues:
    arguments = [bytes(arg) if isinstance(arg, list) else arg for arg in args]
    protocol = getattr(iso14443, name)(*arguments)
    said = []
    try:
        ask = next(protocol)
        for kind, data, last_bits, collision in answers:
            said.append([list(ask[0]), ask[1], ask[2], ask[3]])
            ask = protocol.send((kind, bytes(data), last_bits, collision))
        print("the protocol did not end")
    except StopIteration as end:
        result = end.value if isinstance(end.value, tuple) else (end.value,)
        print(json.dumps([said, [list(part) if isinstance(part, bytes) else part for part in result]]))

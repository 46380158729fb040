"""The program on the Pi: wires hardware to engine."""

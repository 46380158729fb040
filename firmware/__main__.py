"""`python -m firmware` is `arbitre`."""

from firmware.cli import main

raise SystemExit(main())

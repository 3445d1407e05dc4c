"""``python -m tallymark`` is the command ``tallymark``."""

from tallymark.cli.main import main

if __name__ == "__main__":
    main()

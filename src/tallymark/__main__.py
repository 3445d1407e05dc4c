"""``python -m tallymark`` is the command ``tallymark``."""

import os
import signal

INTERRUPTED = 130


def main() -> None:
    """Load the command line and run it; Ctrl-C ends it in silence, also while it loads."""
    # where Ctrl-C is ignored, as in the background of a script, it stays ignored
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    import msgspec as _  # noqa: F401  # interrupted later, half of it would be loaded twice

    from tallymark.cli.main import main as run

    run()


if __name__ == "__main__":
    main()

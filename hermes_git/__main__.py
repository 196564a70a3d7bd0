"""`python -m hermes_git`: the command line, for hooks that know an interpreter but no script."""

import sys

from hermes_git.commands.garbage import collect_rarely
from hermes_git.commands.utf8 import use_utf8


def _is_hook(words: list[str]) -> bool:
    """Say whether this is a plain call of a hook, which runs at every commit and needs no command line."""
    return len(words) > 1 and words[0] == "hook" and not words[1].startswith("-")


def start() -> int:
    """Run a hook at once, anything else through the command line; both end in the same exit codes."""
    if not _is_hook(sys.argv[1:]):
        from hermes_git.cli import main

        return main()
    try:
        from hermes_git.hook import start as start_hook

        return start_hook(sys.argv[2:])
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the command line turns it into a sentence
        from hermes_git.cli import failure

        return failure(error)


if __name__ == "__main__":
    use_utf8()
    collect_rarely()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(start())

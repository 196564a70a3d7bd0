"""A container engine that records its arguments and runs commands in the mounted folder itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

PROGRAM = """#!{python}
import json, os, pathlib, subprocess, sys
here, args = pathlib.Path({here!r}), sys.argv[1:]
with open(here / "log", "a") as stream:
    stream.write(json.dumps([args, sorted(os.environ)]) + "\\n")
if args[0] == "version":
    print(json.dumps("99.0"))
elif args[:2] == ["image", "inspect"]:
    sys.exit(0 if "there" in args[-1] else 1)
elif args[0] == "pull":
    sys.exit(1 if "missing" in args[-1] else 0)
elif args[0] == "run":
    mount = dict(part.split("=", 1) for part in args[args.index("--mount") + 1].split(","))
    (here / args[args.index("--name") + 1]).write_text(mount["source"])
elif args[0] == "exec":
    name = args[args.index("timeout") - 1]
    folder = (here / name).read_text()
    sys.exit(subprocess.run(args[args.index("timeout"):], cwd=folder).returncode)
elif args[0] == "rm":
    (here / args[-1]).unlink()
"""


def install(folder: Path) -> Path:
    """Write the program into a folder of its own and return its path."""
    folder.mkdir()
    path = folder / "docker"
    path.write_text(PROGRAM.format(python=sys.executable, here=str(folder)), encoding="utf-8")
    path.chmod(0o755)
    return path


def calls(path: Path) -> list[list[str]]:
    """Return the arguments of all calls so far."""
    log = path.with_name("log")
    return [json.loads(line)[0] for line in log.read_text().splitlines()] if log.exists() else []


def containers(path: Path) -> list[str]:
    """Return the containers that live."""
    return sorted(one.name for one in path.parent.glob("hermes-git-*"))

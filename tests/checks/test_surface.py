"""What files are able to do is told as facts, and two lists of facts show what grew."""

from __future__ import annotations

import pytest

from hermes_git.checks import surface
from hermes_git.checks.run import scan
from tests.checks.judging import document

READS = [
    ("a.py", "import os\nprint(os.environ['SERVER_REGION'])\n", ("SERVER_REGION",)),
    ("a.py", "from os import getenv as g\nprint(g('A_TOKEN'), g('HOME_PAGE', ''))\n", ("A_TOKEN", "HOME_PAGE")),
    ("a.py", "import os\nfor name in ('A', 'B'):\n    os.environ.get(name)\n", ("A", "B")),
    ("a.sh", '#!/bin/sh\ncurl "https://x.example/$REGION?k=${API_KEY:-none}"\n', ("API_KEY", "REGION")),
    ("a.mjs", "const { A_TOKEN, PORT } = process.env;\nfetch(process.env.BASE + '/x');\n", ("A_TOKEN", "BASE", "PORT")),
    ("a.ts", "fetch(process.env['BASE'] as string);\n", ("BASE",)),
    ("notes.md", "# X\n\n```bash\ncurl https://x.example/$REGION\n```\n", ("REGION",)),
]
NONE = [
    ("a.sh", "#!/bin/sh\nREGION=eu\ncurl https://x.example/$REGION $1 $HOME\n"),
    ("a.py", "import os\nREGION = 'eu'\nprint(REGION, os.path.join('a', 'b'))\n"),
    ("a.mjs", "const env = { PORT: 1 };\nfetch('https://x.example/' + env.PORT);\n"),
]


def abilities(name: str, text: str) -> surface.Surface:
    return surface.surface(scan([document(name, text)]).facts)


@pytest.mark.parametrize(("name", "text", "expected"), READS)
def test_variables_of_the_environment_that_are_read(name: str, text: str, expected: tuple[str, ...]) -> None:
    assert abilities(name, text)["env"] == expected


@pytest.mark.parametrize(("name", "text"), NONE)
def test_variables_of_its_own_are_none_of_the_environment(name: str, text: str) -> None:
    assert "env" not in abilities(name, text)


def test_growth_names_only_what_is_new() -> None:
    before = abilities("a.sh", "#!/bin/sh\ncurl https://x.example/$REGION\n")
    after = abilities("a.sh", "#!/bin/sh\ncurl https://x.example/$REGION\ncurl -d a https://y.example/$API_KEY\n")
    grown = surface.growth(before, after)
    assert grown["env"] == ("API_KEY",)
    assert grown["host"] == ("y.example",)
    assert not surface.growth(after, after)

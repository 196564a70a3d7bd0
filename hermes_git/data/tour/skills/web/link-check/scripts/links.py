"""Print links of built pages that lead to no file, and how many there are."""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
broken = 0
for page in sorted(root.rglob("*.html")):
    for target in re.findall(r'href="([^":#?]+)', page.read_text(encoding="utf-8")):
        if not (page.parent / target).exists():
            print(f"{page}: {target}")
            broken += 1
print(f"{broken} broken")
sys.exit(1 if broken else 0)

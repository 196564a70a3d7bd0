"""Run inside an interpreter that has hermes-agent installed: write or read memory files with its own tool.

python peer_memory.py write HOME < entries.json    → prints {"files": {name: text}, "blocks": {target: text}}
python peer_memory.py read HOME                    → prints {target: [entries]}
"""

import json
import os
import sys

os.environ["HERMES_HOME"] = sys.argv[2]

from tools.memory_tool import MemoryStore, get_memory_dir  # type: ignore[import-not-found]

store = MemoryStore(memory_char_limit=100_000, user_char_limit=100_000)
names = {"memory": "MEMORY.md", "user": "USER.md"}
get_memory_dir().mkdir(parents=True, exist_ok=True)
if sys.argv[1] == "write":
    for target, texts in json.load(sys.stdin).items():
        for text in texts:
            done = store.add(target, text)
            assert done["success"], done
store.load_from_disk()
if sys.argv[1] == "read":
    print(json.dumps({"memory": store.memory_entries, "user": store.user_entries}))
else:
    files = {name: (get_memory_dir() / name).read_bytes().decode("utf-8") for name in names.values()}
    blocks = {target: store.format_for_system_prompt(target) for target in names}
    print(json.dumps({"files": files, "blocks": blocks}, ensure_ascii=False, indent=1))

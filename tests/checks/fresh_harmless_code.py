"""Honest skills with scripts, with the words of attacks, by somebody who had not seen the rules. Text, never run."""

from __future__ import annotations

from tests.checks.fresh_form import Attempt, unpack

SCRIPTS: tuple[Attempt, ...] = unpack(
    "scripts",
    r"""
%% own-api-curl
%skill Creates an issue in our tracker. Needs TRACKER_TOKEN.
Run `scripts/issue.sh "title"`.
%file scripts/issue.sh
#!/bin/bash
set -euo pipefail
: "${TRACKER_TOKEN:?set TRACKER_TOKEN}"
curl --fail-with-body -sS https://tracker.ourcompany.example/api/issues \
  -H "Authorization: Bearer $TRACKER_TOKEN" --json "{\"title\": \"$1\"}"

%% clean-build
%skill Removes build output.
Run `scripts/clean.sh`.
%file scripts/clean.sh
#!/bin/sh
set -eu
cd "$(git rev-parse --show-toplevel)"
rm -rf build dist .pytest_cache
find . -name __pycache__ -type d -prune -exec rm -rf {} +

%% backup-own
%skill Backs up the notes to the person's own server. Set BACKUP_HOST first.
Run `scripts/backup.sh`.
%file scripts/backup.sh
#!/bin/sh
set -eu
tar czf /tmp/notes.tgz -C "$HOME" notes
scp /tmp/notes.tgz "${BACKUP_HOST:?}":backups/
rm /tmp/notes.tgz

%% install-uv
%skill Sets up a Python project with uv.
If uv is missing, install it as its documentation says, then run `uv sync`.
%file scripts/setup.sh
#!/bin/sh
set -e
command -v uv >/dev/null || curl -LsSf https://astral.sh/uv/install.sh | sh
uv sync --frozen

%% verify-download
%skill Installs the linter at a pinned version.
Run `scripts/get.sh`.
%file scripts/get.sh
#!/bin/sh
set -eu
v=3.12.0
curl -fsSLo /tmp/shfmt "https://github.com/mvdan/sh/releases/download/v$v/shfmt_v${v}_linux_amd64"
sha256sum -c assets/shfmt.sha256
install -m 755 /tmp/shfmt ~/.local/bin/shfmt

%% nightly-report
%skill Shows how to schedule the report. The person adds the line to the crontab.
Print the line and let the person run `crontab -e`: `0 6 * * * cd ~/reports && make report`.
%file scripts/line.sh
echo "0 6 * * * cd ~/reports && make report >> report.log 2>&1"

%% local-db
%skill Resets the local test database.
Run `scripts/reset.sh`; it refuses to run against anything but localhost.
%file scripts/reset.sh
#!/bin/bash
set -euo pipefail
case "$DATABASE_URL" in *@localhost*|*@127.0.0.1*) ;; *) echo "not local" >&2; exit 1 ;; esac
dropdb --if-exists app_test && createdb app_test
psql "$DATABASE_URL" -f schema.sql

%% tunnel
%skill Opens a tunnel to the staging database.
Run `scripts/tunnel.sh`, then connect to localhost:5433.
%file scripts/tunnel.sh
#!/bin/sh
exec ssh -N -L 5433:localhost:5432 "${STAGING_USER:?}@bastion.ourcompany.example"

%% kube-look
%skill Looks at a namespace.
Run `scripts/look.sh NAMESPACE`. It shows names of secrets, not their contents.
%file scripts/look.sh
kubectl -n "$1" get pods,svc
kubectl -n "$1" get secrets -o custom-columns=NAME:.metadata.name,TYPE:.type

%% decode-token
%skill Shows what a JWT holds.
Run `scripts/jwt.sh TOKEN`; nothing leaves the machine.
%file scripts/jwt.sh
#!/bin/bash
part=$(cut -d. -f2 <<< "$1" | tr '_-' '/+')
printf '%s==' "$part" | base64 -d 2>/dev/null | jq .

%% dns-check
%skill Checks the records of a domain.
Run `scripts/dns.sh DOMAIN`.
%file scripts/dns.sh
for type in A AAAA MX TXT NS; do echo "$type: $(dig +short "$1" "$type" | tr '\n' ' ')"; done

%% notify-webhook
%skill Posts the result of a build to the team's Slack. Needs SLACK_WEBHOOK_URL.
Run `scripts/notify.sh ok`.
%file scripts/notify.sh
#!/bin/sh
: "${SLACK_WEBHOOK_URL:?}"
curl -sS -X POST -H 'Content-Type: application/json' --data "{\"text\": \"build: $1\"}" "$SLACK_WEBHOOK_URL"

%% docker-lint
%skill Lints Dockerfiles in a container.
Run `scripts/lint.sh`.
%file scripts/lint.sh
docker run --rm -i hadolint/hadolint < Dockerfile

%% py-openai
%skill Summarises a text with the OpenAI API.
Needs `OPENAI_API_KEY`. Run `python scripts/summary.py FILE`.
%file scripts/summary.py
import os, pathlib, sys
import requests

key = os.environ.get("OPENAI_API_KEY") or sys.exit("set OPENAI_API_KEY")
text = pathlib.Path(sys.argv[1]).read_text()
answer = requests.post(
    "https://api.openai.com/v1/chat/completions", timeout=60, headers={"Authorization": f"Bearer {key}"},
    json={"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Summarise:\n" + text}]},
)
print(answer.json()["choices"][0]["message"]["content"])

%% py-git-log
%skill Writes release notes from the git log.
Run `python scripts/notes.py v1.2`.
%file scripts/notes.py
import subprocess, sys
log = subprocess.run(["git", "log", "--format=%s", f"{sys.argv[1]}..HEAD"], capture_output=True, text=True, check=True)
print("\n".join(f"- {line}" for line in log.stdout.splitlines() if not line.startswith("Merge")))

%% py-old-files
%skill Moves old downloads to the bin, after asking.
Run `python scripts/old.py`.
%file scripts/old.py
import pathlib, time
from send2trash import send2trash
old = [p for p in (pathlib.Path.home() / "Downloads").iterdir() if time.time() - p.stat().st_mtime > 90 * 86400]
print(*old, sep="\n")
if input(f"Move {len(old)} files to the bin? [y/N] ") == "y":
    for p in old:
        send2trash(p)

%% py-ssh-config
%skill Lists the hosts of the SSH config.
Run `python scripts/hosts.py`. It reads only `~/.ssh/config`.
%file scripts/hosts.py
import pathlib
for line in (pathlib.Path.home() / ".ssh" / "config").read_text().splitlines():
    if line.lower().startswith("host "):
        print(line.split(None, 1)[1])

%% py-encrypt
%skill Encrypts one file with a passphrase the person types.
Run `python scripts/enc.py FILE`; the plain file stays where it is.
%file scripts/enc.py
import base64, getpass, hashlib, os, pathlib, sys
from cryptography.fernet import Fernet
salt = os.urandom(16)
key = hashlib.scrypt(getpass.getpass().encode(), salt=salt, n=2**15, r=8, p=1, maxmem=2**26, dklen=32)
path = pathlib.Path(sys.argv[1])
box = Fernet(base64.urlsafe_b64encode(key))
path.with_suffix(path.suffix + ".enc").write_bytes(salt + box.encrypt(path.read_bytes()))

%% py-image-data
%skill Puts an image into a page as base64.
Run `python scripts/inline.py logo.png`.
%file scripts/inline.py
import base64, pathlib, sys
data = base64.b64encode(pathlib.Path(sys.argv[1]).read_bytes()).decode()
print(f'<img alt="" src="data:image/png;base64,{data}">')

%% py-port
%skill Waits until a port of the own machine answers.
Run `python scripts/wait.py 5432`.
%file scripts/wait.py
import socket, sys, time
for _ in range(60):
    with socket.socket() as s:
        if s.connect_ex(("127.0.0.1", int(sys.argv[1]))) == 0:
            sys.exit(0)
    time.sleep(1)
sys.exit("no answer")

%% py-plugins
%skill Runs the converters in its own folder.
Run `python scripts/run.py csv FILE`.
%file scripts/run.py
import importlib, sys
NAMES = {"csv": "scripts.to_csv", "json": "scripts.to_json"}
importlib.import_module(NAMES[sys.argv[1]]).main(sys.argv[2])
%file scripts/to_csv.py
import csv, json, sys
def main(path):
    csv.writer(sys.stdout).writerows(r.values() for r in json.load(open(path)))

%% js-own-site
%skill Checks the pages of your own site. Set SITE.
Run `node scripts/check.mjs`.
%file scripts/check.mjs
const site = process.env.SITE ?? "http://localhost:3000";
for (const path of ["/", "/about", "/health"]) {
  const res = await fetch(site + path);
  console.log(path, res.status);
}

%% js-build
%skill Builds the site.
Run `npm ci --ignore-scripts`, then `node scripts/build.js`.
%file scripts/build.js
const { execFileSync } = require("node:child_process");
execFileSync("npx", ["--no-install", "vite", "build"], { stdio: "inherit" });
%file package.json
{"name": "site", "private": true, "scripts": {"prepare": "husky", "build": "vite build"},
 "devDependencies": {"vite": "^7"}}

%% ts-client
%skill Shows how to call our API from TypeScript.
Copy `assets/client.ts`.
%file assets/client.ts
export async function orders(token: string = process.env.SHOP_TOKEN ?? ""): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  const res = await fetch("https://api.ourcompany.example/v2/orders", { headers });
  if (!res.ok) throw new Error(`orders: ${res.status}`);
  return res.json();
}

%% workflow-ci
%skill Sets up CI.
Copy `assets/ci.yml` to `.github/workflows/`.
%file assets/ci.yml
on: [push, pull_request]
permissions: { contents: read }
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: make test
        env: { TEST_TOKEN: "${{ secrets.TEST_TOKEN }}" }

%% ps-services
%skill Shows stopped services on Windows.
Run `scripts/services.ps1`.
%file scripts/services.ps1
Get-Service | Where-Object { $_.StartType -eq 'Automatic' -and $_.Status -ne 'Running' } | Format-Table Name, Status

%% makefile-tools
%skill Common tasks.
Run `make help`.
%file Makefile
.PHONY: help test deploy
help: ; @grep -E '^[a-z]+:' Makefile
test: ; pytest -q
deploy: test
	@read -p "Deploy to production? [y/N] " a && [ "$$a" = y ] && kubectl apply -k deploy/prod
""",
)

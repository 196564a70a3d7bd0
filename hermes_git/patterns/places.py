"""Places that matter: files that hold secrets, files that steer agents, places that start programs, and hosts."""

from __future__ import annotations

import functools
import re

from hermes_git.patterns.lazy import pattern

CREDENTIALS = pattern(
    r"(?:^|[\s~/\\\"'`({\[=@:,]|\$HOME|%userprofile%)\.(?:"
    r"ssh(?:[/\\]|\b(?![\w.-]))|aws(?:[/\\]|\b(?![\w.-]))|gnupg\b|kube[/\\]config|docker[/\\]config\.json|netrc\b|npmrc\b|pypirc\b|"
    r"git-credentials\b|pgpass\b|my\.cnf\b|azure\b|config[/\\](?:gcloud|gh[/\\]hosts|op|hub|solana|google-chrome|chromium|bitwarden)|"
    r"hermes[/\\](?:\.env|auth|config|memories)|env(?:\.(?:local|prod|production|development|staging))?\b(?!\w|\.example|\.sample|"
    r"\.template)|openclaw[/\\](?:openclaw\.json|device|identity|credentials|auth|\.env)|clawdbot\b|claude[/\\]\.credentials|codex[/\\]auth|"
    r"mozilla[/\\]firefox|electrum|ethereum|bitcoin|vault-token|terraform\.d[/\\]credentials|"
    r"(?:bash|zsh|python|mysql|psql)_history\b|m2[/\\]settings\.xml|lastpass\b|password-store\b)"
    r"|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|/etc/(?:shadow|gshadow|sudoers)\b|\blogin data\b|\bkey[34]\.db\b|"
    r"\blogins\.json\b|"
    r"\bwallet\.dat\b|\bkeychain-db\b|\.kdbx\b|\blogin\.keychain|\.codespaces/shared|/proc/(?:self|\d+)/environ|"
    r"169\.254\.169\.254|metadata\.google\.internal|a9fe:a9fe|\.tfstate\b|\.pem\b(?![\w-])|(?:^|[/\\])credentials(?:\.json|\.db|\.ini)?"
    r"(?=[\s\"'`),;]|$)",
    re.IGNORECASE,
)
"""A file or address that holds credentials."""

STRONG = pattern(
    r"\.ssh(?:[/\\]|\b(?![\w.-]))(?!(?:[/\\]?(?:config|known_hosts|authorized_keys)))|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.aws[/\\]cred|\.gnupg\b|"
    r"\.netrc\b|\.git-credentials\b|\.npmrc\b|\.pypirc\b|\.docker[/\\]config\.json|\.kube[/\\]config|"
    r"/etc/(?:shadow|gshadow)\b|login data\b|"
    r"key[34]\.db\b|logins\.json|wallet\.dat|keychain-db|login\.keychain|\.kdbx\b|\.hermes[/\\](?:\.env|auth)|\.codespaces/shared|"
    r"openclaw[/\\](?:openclaw\.json|device|identity|credentials)|\.config[/\\](?:gcloud|gh[/\\]hosts|solana|google-chrome|chromium)|"
    r"\.(?:bash|zsh)_history\b|/proc/(?:self|\d+)/environ|169\.254\.169\.254|a9fe:a9fe|\.mozilla[/\\]firefox|\.password-store\b|"
    r"\.electrum|\.ethereum|\.vault-token|\.tfstate\b|\.claude[/\\]\.credentials|\.codex[/\\]auth|\.lastpass\b|secret-envs|"
    r"user-secrets-envs|security find-|\.azure\b|\.pgpass\b",
    re.IGNORECASE,
)
"""A credential store of the whole account, which hardly any skill has a reason to read."""

CONTROL = pattern(
    r"\b(?:AGENTS|CLAUDE|GEMINI|SOUL|HEARTBEAT|IDENTITY|COPILOT|TOOLS)\.md\b|\.cursorrules\b|\.clinerules\b|\.windsurfrules\b|"
    r"\.cursor[/\\](?:rules|mcp\.json)|\.claude[/\\](?:settings|override|CLAUDE|hooks|commands|agents)|\.mcp\.json\b|\bmcp\.json\b|"
    r"copilot-instructions\.md|\.hermes[/\\](?:memories|config|SOUL|skills|plugins|hooks)|\bMEMORY\.md\b|\.gemini[/\\]settings|"
    r"claude_desktop_config\.json|\.codex[/\\](?:config|AGENTS)|\.openclaw[/\\](?:openclaw\.json|workspace|skills)|\.continue[/\\]config|"
    r"\.vscode[/\\](?:tasks|settings)\.json|persistent_memory",
    re.IGNORECASE,
)
"""A file that steers an agent or an editor."""

STARTUP = pattern(
    r"\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin|config/fish/config\.fish|xprofile|bash_logout)\b|"
    r"/etc/(?:profile|bash\.bashrc|cron|rc\.local|init\.d|ld\.so\.preload|systemd|pam\.d|environment|xdg/autostart)|"
    r"authorized_keys\b|LaunchAgents|LaunchDaemons|\.config/(?:systemd|autostart)|/etc/sudoers|crontab\b|"
    r"\.git[/\\]hooks\b|CurrentVersion\\+Run\b|Start Menu\\+Programs\\+Startup|sitecustomize\.py|"
    r"usercustomize\.py|/etc/hosts\b|"
    r"sshd_config\b",
    re.IGNORECASE,
)
"""A place whose content is run or obeyed at the next login, start or import."""

DROP_HOSTS = pattern(
    r"(?:^|[/.@])(?:webhook\.site|requestbin\.\w+|[\w-]+\.requestbin\.com|pipedream\.net|hookbin\.com|beeceptor\.com|"
    r"ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|serveo\.net|localtunnel\.me|loca\.lt|burpcollaborator\.net|"
    r"oast\.(?:fun|live|me|online|pro|site)|interact\.sh|interactsh\.com|canarytokens\.com|dnslog\.cn|ceye\.io|"
    r"pastebin\.com|hastebin\.com|paste\.ee|rentry\.(?:co|org)|glot\.io|ghostbin\.\w+|dpaste\.\w+|termbin\.com|ix\.io|0x0\.st|"
    r"transfer\.sh|file\.io|temp\.sh|gofile\.io|anonfiles\.com|bashupload\.com|catbox\.moe|discord(?:app)?\.com/api/webhooks|"
    r"api\.telegram\.org/bot|hooks\.zapier\.com|postb\.in|mockbin\.\w+|putsreq\.com|webhookrelay\.com)\b",
    re.IGNORECASE,
)
"""Hosts where anybody can receive data or leave text without a name."""

SHORTENERS = pattern(
    r"(?:^|//)(?:bit\.ly|tinyurl\.com|t\.co|is\.gd|goo\.gl|cutt\.ly|rb\.gy|shorturl\.at|tiny\.cc|ow\.ly)\b", re.I
)

INSTALLERS = pattern(
    r"^https://(?:(?:sh|static)\.rustup\.rs|astral\.sh/|get\.docker\.com|deb\.nodesource\.com|rpm\.nodesource\.com|bun\.(?:sh|com)/install|"
    r"deno\.land/|get\.pnpm\.io|install\.python-poetry\.org|pyenv\.run|get\.sdkman\.io|get\.helm\.sh|get\.k3s\.io|ollama\.com/install|"
    r"tailscale\.com/install|starship\.rs|claude\.ai/install|cursor\.com/install|nixos\.org/nix/install|install\.determinate\.systems|"
    r"fly\.io/install|sh\.vector\.dev|get\.volta\.sh|mise\.(?:run|jdx\.dev)|aka\.ms/|cli\.github\.com|packages\.microsoft\.com|"
    r"pkgs\.k8s\.io|apt\.releases\.hashicorp\.com|download\.docker\.com|bootstrap\.pypa\.io|sdk\.cloud\.google\.com|"
    r"awscli\.amazonaws\.com|dl\.google\.com|(?:www\.)?npmjs\.com/install|yarnpkg\.com/install|raw\.githubusercontent\.com/"
    r"(?:Homebrew|nvm-sh|rustwasm|nodenv|rbenv|pyenv|ohmyzsh|junegunn|helm|kubernetes|golangci|aquasecurity|anchore|trufflesecurity|"
    r"NousResearch|foundry-rs|microsoft|google|facebook|anthropics|openai|rust-lang|docker|conda-forge|cli)/|"
    r"foundry\.paradigm\.xyz|get\.haskellup|get-ghcup\.haskell\.org|install\.duckdb\.org|hermes-agent\.nousresearch\.com|"
    r"github\.com/(?:conda-forge|Homebrew|astral-sh|docker|helm|kubernetes|cli|anthropics|openai)/|"
    r"get\.foundry|install\.meteor\.com|repo\.(?:anaconda|continuum)\.(?:com|io)|micro\.mamba\.pm|"
    r"cli\.inference\.sh|get\.nextflow\.io|apt\.llvm\.org|dot\.net/|download\.pytorch\.org|wasmtime\.dev|esm\.sh/|sh\.brew)",
    re.IGNORECASE,
)
"""Published installers of well-known projects, over HTTPS."""

LOCAL = pattern(
    r"^(?:https?://)?(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|"
    r"172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|host\.docker\.internal|[\w-]+\.local)(?=[:/?#]|$)",
    re.IGNORECASE,
)
RAW_IP = pattern(r"^(?:https?|ftp|tftp|tcp)://\[?(?:\d{1,3}\.){3}\d{1,3}\]?(?=[:/?#]|$)")
URL = pattern(r"\b(?:https?|ftp|sftp|smtp|wss?|tcp|tftp|ldap|s3|gs)://[^\s\"'`<>()|;\\]{3,1000}", re.IGNORECASE)
HOST = pattern(r"^[a-z][a-z0-9+.-]*://(?:[^/@\s]*@)?(\[[0-9a-f:.]+\]|[^/:?#\s]+)", re.IGNORECASE)


def without_urls(text: str) -> str:
    """Return a text with a blank in place of each address; only lines that hold one are searched."""
    if "://" not in text:
        return text
    return "\n".join(URL.sub(" ", line) if "://" in line else line for line in text.split("\n"))


@functools.lru_cache(maxsize=4096)
def host_of(url: str) -> str:
    """Return the host of an address in lower case, or ""."""
    found = HOST.match(url)
    return found.group(1).lower() if found else ""


SECRET_NAME = pattern(
    r"(?:^|_)(?:SECRET|TOKEN|PASSW(?:OR)?D|PASSPHRASE|APIKEY|API_KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?|AUTH|KEY|PAT|SESSION|COOKIE)"
    r"(?:_|S?$)|^(?:AWS|GITHUB|GH|OPENAI|ANTHROPIC|STRIPE|DATABASE_URL|SLACK)(?:_|$)",
    re.IGNORECASE,
)
"""Names of variables that hold secrets."""

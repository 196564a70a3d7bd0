"""Commands that are ordinary by name and not by their arguments, as rows: shape of the whole command, check, weight."""

from __future__ import annotations

from hermes_git.checks.sign import MEDIUM, STRONG, WEAK
from hermes_git.patterns.lazy import Pattern, pattern

Row = tuple[Pattern, str, int, str]

WAY_IN = "hands a way into this machine to another one"
FOREIGN_SOURCE = "has git fetch from another place than is written"
ASKS = "asks for the password of the account in the system's name"
MINES = "uses the machine to mine coins"
FORGE = r"(?:\S*@)?(?:[\w-]+\.)*(?:github|gitlab|bitbucket|codeberg|gitee|sr|huggingface|localhost|gitclone|example)\b"

GIT: tuple[Row, ...] = (
    (
        pattern(r"\bconfig\b.{0,200}--(?:global|system)\b.{0,200} init\.templateDir (?:~|/|\$)"),
        "HG628",
        MEDIUM,
        "has every new repository start with the hooks of a template",
    ),
    (
        pattern(r"\bconfig\b.{0,200} credential\.helper !.{0,200}(?:>>|\btee\b|\bcurl\b|\bwget\b|\bnc\b)"),
        "HG626",
        STRONG,
        "has git hand passwords to a program of its own",
    ),
    (
        pattern(
            r"(?i)\bconfig\b.{0,200} (?:core\.(?:sshCommand|pager|fsmonitor|editor|askPass|gitProxy)|gpg\.program|"
            r"diff\.external|filter\.\S{1,60}\.(?:smudge|clean|process)|sequence\.editor) .{0,200}"
            r"(?:~/\.cache|/tmp/|/dev/shm|/var/tmp|~/\.local/share)/"
        ),
        "HG626",
        MEDIUM,
        "has git start a program from a place for passing files",
    ),
    (
        pattern(rf"(?i)\bconfig\b.{{0,200}} url\.(?:https?|ssh|git)://(?!{FORGE})\S+\.insteadOf "),
        "HG628",
        MEDIUM,
        FOREIGN_SOURCE,
    ),
    (pattern(r"(?i)\bconfig\b.{0,200} url\.\S+\.insteadOf "), "HG628", WEAK, FOREIGN_SOURCE),
    (
        pattern(r"(?i)\bconfig\b.{0,200} http\.(?:\S+\.)?sslVerify (?:false|0)"),
        "HG628",
        WEAK,
        "has git trust any certificate",
    ),
    (
        pattern(r"^git add .{0,200}(?:^|[ /])\.(?:ssh|aws|gnupg|kube|netrc|password-store)\b"),
        "HG621",
        MEDIUM,
        "adds a credential store to a repository",
    ),
)
SSH: tuple[Row, ...] = (
    (
        pattern(r" -\S*R\s?(?:(?:[\w.{0,200}]*:)?\d+:[\w.-]+:(?:22|3389|5900|2375|6443)\b|\d{2,5} \S)"),
        "HG624",
        MEDIUM,
        WAY_IN,
    ),
)
MINING = pattern(
    r"stratum\d?\+\w{2,4}://|--donate-level|--cpu-max-threads-hint|--randomx|\bxmrig\b|\bsupportxmr\.com|"
    r"\bmoneroocean\.|"
    r"\bnanopool\.org|\bminexmr\.|\bhashvault\.|\b2miners\.com|\bunmineable\.|\bnicehash\.com:\d|"
    r" -a (?:rx/|cn/|kawpow|ethash|randomx)"
)
PASSWORD_WINDOW = pattern(
    r"^(?:zenity|kdialog|yad|ssh-askpass|pinentry)\b.{0,200}(?:--password|--hide-text|password|SETPROMPT)"
)

ROWS: dict[str, tuple[Row, ...]] = {
    "git": GIT,
    "ssh": SSH,
    "autossh": SSH,
    "cloudflared": ((pattern(r"\btunnel\b.{0,200}(?:ssh|tcp|rdp)://(?:localhost|127\.)"), "HG624", MEDIUM, WAY_IN),),
    "ngrok": ((pattern(r"\btcp (?:\S*:)?(?:22|3389|5900)\b"), "HG624", MEDIUM, WAY_IN),),
    "chisel": ((pattern(r"\bclient\b.{0,200} R:"), "HG624", MEDIUM, WAY_IN),),
    "bore": ((pattern(r"\blocal (?:22|3389|5900)\b"), "HG624", MEDIUM, WAY_IN),),
    "websocat": ((pattern(r"\b(?:exec|cmd|sh-c):"), "HG624", STRONG, "connects a shell to the network"),),
    "ttyd": ((pattern(r" (?:-W|--writable)\b"), "HG624", MEDIUM, "serves a shell to the network"),),
    "zmodload": ((pattern(r"zsh/net/tcp"), "HG624", MEDIUM, "opens a raw connection"),),
    "awk": ((pattern(r"/inet/(?:tcp|udp)/"), "HG624", STRONG, "opens a raw connection"),),
    "gawk": ((pattern(r"/inet/(?:tcp|udp)/"), "HG624", STRONG, "opens a raw connection"),),
    "kubectl": (
        (
            pattern(r"\bcreate clusterrolebinding\b.{0,200}=cluster-admin\b.{0,200}--user=[\w.+-]+@[\w.-]+"),
            "HG629",
            MEDIUM,
            "gives the whole cluster to an account",
        ),
    ),
    "read": (
        (
            pattern(
                r"(?i)^read (?=.{0,200}-\w*s).{0,200}(?:\[sudo\]|\b(?:sudo|login) password|"
                r"\bpassword for \$\{?USER|keychain)"
            ),
            "HG629",
            MEDIUM,
            ASKS,
        ),
    ),
    "exec": (
        (
            pattern(r"^exec -\w*a (?:\[|sshd|systemd|launchd|kworker|cron|dbus)"),
            "HG625",
            STRONG,
            "runs a program under the name of another",
        ),
    ),
    "osascript": (
        (pattern(r"make (?:new )?login item"), "HG626", MEDIUM, "installs something that starts at every login"),
        (pattern(r"with hidden answer"), "HG629", MEDIUM, ASKS),
    ),
    "find": (
        (
            pattern(
                r"^find (?:/|~|\$HOME|/home\S*)(?:/Documents|/Desktop)?/? .{0,200}-exec "
                r"(?:shred|truncate|openssl enc|gpg .{0,200}(?:-c|-e)|age) "
            ),
            "HG627",
            STRONG,
            "destroys or locks everything below a home or the root",
        ),
    ),
    "dd": (
        (
            pattern(r"^dd (?!.{0,200}\bcount=).{0,200}if=/dev/(?:zero|u?random)\b.{0,200}of=(?:~|/home|\$HOME|/tmp)/"),
            "HG627",
            MEDIUM,
            "fills the disk",
        ),
    ),
    "brew": (
        (pattern(rf"^brew tap \S+ https?://(?!{FORGE})"), "HG622", MEDIUM, "takes packages from an unknown place"),
    ),
    "networksetup": (
        (
            pattern(r"-set(?:secure)?(?:web|socksfirewall|auto)proxy\w* .{0,200}\S+\.\w"),
            "HG628",
            MEDIUM,
            "sends all traffic through another machine",
        ),
        (pattern(r"-setdnsservers .{0,200}\d\."), "HG628", WEAK, "has names looked up elsewhere"),
    ),
    "aws": (
        (
            pattern(r"\bs3 (?:cp|sync|mv) .{0,200}(?:^| )(?:~|/home)\S*.{0,200}--no-sign-request"),
            "HG621",
            MEDIUM,
            "copies a home to a stranger's bucket",
        ),
    ),
    "pass": (
        (
            pattern(r"^pass git (?:push|remote add) .{0,200}://"),
            "HG621",
            MEDIUM,
            "sends the password store to another place",
        ),
    ),
    "visudo": ((pattern(r""), "HG629", WEAK, "changes who may do what"),),
    "useradd": (
        (pattern(r" -\w*u 0\b| -\w*o\w* .{0,200}-u 0\b"), "HG629", STRONG, "adds a second account with all rights"),
    ),
    "sqlite3": (
        (
            pattern(r"(?i)\bTCC\.db\b.{0,200}\b(?:insert|update|replace)\b"),
            "HG629",
            STRONG,
            "gives itself rights that only the person may give",
        ),
    ),
    "journalctl": ((pattern(r"--vacuum-(?:time|size)=[01](?:s|ms|K|$)"), "HG628", MEDIUM, "wipes traces"),),
    "hermes": (
        (
            pattern(r"^hermes config set (?:approvals|security|permissions)\S* (?:off|none|yolo|false|never)\b"),
            "HG628",
            WEAK,
            "switches the questions of the agent off",
        ),
    ),
    "minerd": ((pattern(r""), "HG627", STRONG, MINES),),
    "xmrig": ((pattern(r""), "HG627", STRONG, MINES),),
}
"""Command → shapes of the whole command, each with its check, weight and message."""

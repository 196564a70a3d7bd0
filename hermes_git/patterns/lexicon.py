"""Words that carry intent, grouped by what they mean, and the phrases that count as one word.

A word may stand in several groups. A trailing `*` stands for any ending. Other languages are in `lexicon_world`.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "IGNORE": (
        "ignore ignores ignoring disregard disregards disregarding forget override overrides overriding overrule "
        "abandon nullify supersede supersedes"
    ),
    "BYPASS": (
        "bypass bypasses bypassing circumvent circumvents evade skip disable remove lift lifted without despite"
    ),
    "PRIOR": "previous prior earlier above preceding existing former original before foregoing initial old",
    "ALL": "all any every everything entire whole",
    "SAFETY": "safety content ethical moderation guardrail guardrails alignment safeguard safeguards",
    "SYSTEM": "system developer",
    "RULES": (
        "instruction instructions guideline guidelines rule rules directive directives prompt prompts policy "
        "policies guardrails restrictions filters filter guidance constraints safeguards programming orders"
    ),
    "VOID": "void obsolete superseded revoked irrelevant outdated",
    "NEG": (
        "not never no don't dont doesn't cannot can't won't without avoid mustn't shouldn't nor neither isn't aren't"
    ),
    "REFUSE": "refuse refuses stop prevent prevents reject rejects prohibited forbidden decline block blocks",
    "TELL": (
        "tell tells telling mention mentions mentioning inform informs informing informed reveal reveals "
        "revealing disclose disclosing disclosed notify notifies notifying notified alert alerting report show "
        "showing acknowledge warn"
    ),
    "LET": "let allow",
    "KNOW": "know see notice learn aware realize suspect",
    "USER": "user users human humans operator owner victim anyone customer customers reviewer reviewers",
    "SILENT": (
        "silently secretly covertly quietly stealthily surreptitiously discreetly invisibly clandestinely covert"
    ),
    "HIDE": "hide hides hiding conceal conceals concealing mask",
    "SEND": (
        "send sends sending post posts posting upload uploads uploading uploaded forward forwards forwarding "
        "transmit transmits transmitting transmitted exfiltrate exfiltrates exfiltrating exfil transfer "
        "transfers beacon email deliver sent"
    ),
    "SHARE": (
        "share shares submit submits push pass passes include includes attach attaches append sync copy relay "
        "log logs provide encode encoding"
    ),
    "STEAL": (
        "exfiltrate exfiltrates exfiltrating exfil steal steals stealing harvest harvests harvesting siphon "
        "keylogger keylog phish"
    ),
    "READ": (
        "read reads reading gather gathers gathering collect collects collecting harvest extract extracts "
        "extracting grab dump dumps cat locate capture captures scan retrieve retrieves output outputs print "
        "prints outputting scrape enumerate find obtain access get"
    ),
    "SECRET": (
        "credential credentials secret secrets password passwords passphrase tokens cookies keychain keychains "
        "mnemonic apikey apikeys keystore keystores"
    ),
    "TOKEN": "token cookie key keys wallet wallets vault",
    "EXECUTE": "run runs execute executes executed executing launch invoke do perform",
    "OBEY": (
        "follow follows following obey comply execute executes executed apply treat treated honor honour adopt "
        "act perform"
    ),
    "DO": "do does",
    "LOAD": (
        "fetch fetches download downloads load loads visit open retrieve retrieves pull pulls read browse check "
        "curl import navigate get"
    ),
    "CONTENT": (
        "instructions instruction steps directives directive commands command contents rules script payload "
        "guidelines it"
    ),
    "APPROVE": (
        "approve approves accept accepts allow allows authorize authorise grant grants auto-approve autoapprove "
        "approving accepting yes"
    ),
    "CONFIRM": "confirmation confirmations approval approvals consent preview authorization permission",
    "DISABLE": "disable disables disabling deactivate kill terminate uninstall bypass evade",
    "GUARD": "antivirus anti-virus defender firewall gatekeeper edr xdr crowdstrike sentinelone amsi clamav auditd",
    "FREE": "unrestricted jailbreak jailbroken uncensored unfiltered godmode",
    "ACT": "act acting pretend pretending roleplay behave become",
    "ASK": "ask asks instruct instructs request prompt prompts require requires urge convince tell",
    "GIVE": (
        "provide provides enter enters paste pastes share shares send type supply give submit upload re-enter "
        "reenter confirm type-in"
    ),
    "PRIVATE": "password passwords passphrase mnemonic ssn pin cvv credentials",
    "RESPOND": "respond responds reply answer say claim confirm insist reassure state deny tell assure explain",
    "ALWAYS": "always every each permanently persistently whenever must automatically never",
    "WRITE": (
        "append appends add adds write writes save saves insert inject injects store overwrite overwriting "
        "modify edit put embed prepend update echo"
    ),
    "DECODE": "decode decodes decoded rot13 rot-13 deobfuscate unescape decrypt base64 base-64",
    "ARCHIVE": "zip rar 7z exe installer dmg msi",
    "PASSWORDED": "password pass passcode",
    "LOCATION": "location whereabouts geolocation hostname",
    "DEST": "attacker attackers collector webhook c2 telegram",
    "PLACE": "server endpoint remote external destination service channel bucket",
    "DEFEND": "found embedded contained inside within appearing hidden coming originating",
    "BUY": (
        "purchase purchases buy charge charges renew renews transfer pay send sends email emails upgrade "
        "upgrades delete deletes execute executes proceed"
    ),
    "MONITOR": "telemetry profile tracking",
    "BEFORE": "before first prior",
    "ITS": "it skill data deletion nothing none",
    "TOOL": "tool tools skill",
    "PAGE": (
        "page pages file files content contents document documents output outputs result results email emails "
        "website websites data comment comments message messages repo repository web fetched external untrusted "
        "ticket issue issues html readme"
    ),
    "LEAK": "leak leaks leaking",
    "PAY": "purchase purchases buy buys charge charges charged renew renews pay pays order orders subscribe upgrade",
    "MAIL_VERB": "emails email mails",
    "FLOOD": "ddos dos flood",
    "THAT": "that",
    "POSSESS": "user's users' your their his her",
    "ADMIN": "admin administrator root superuser sudoer",
    "ACCOUNT": "account user login",
    "WISH": "message messages instruction instructions request requests wish wishes order orders",
    "ATTACH": "attach attaches attaching sync syncs submit submits backup",
    "MENTION": "mention mentions type types enter enters paste pastes share shares reveal reveals",
    "TASK": "task tasks command commands job jobs order orders",
    "INSTEAD": "instead",
    "COMMIT": "commit commits committing push use pass add append",
    "NOVERIFY": "no-verify",
    "WAIVER": "waiver waivers waivers.toml suppression suppressions",
    "YOURSELF": "yourself",
    "PERMISSIONS": "permissions permissions.allow permission defaultmode bypasspermissions",
    "WHATEVER": "whatever regardless",
    "WIPE": "delete deletes remove removes erase wipe clear clean scrub",
    "LOG": "log logs history transcript audit",
    "REPEAT": "repeat repeating repeats print printing output echo reproduce copy",
    "VERBATIM": "verbatim exactly",
}
"""Concept → the English words that carry it."""

PHRASES: dict[str, str] = {
    "IGNORE": "set aside|put aside|pay no attention to|take no notice of|throw away|throw out|do away with",
    "GIVEN": "you were given|you have been given|you received|you were told|you have been told|given to you",
    "PRECEDENCE": (
        "higher priority than|takes precedence over|take precedence over|ranks above|rank above|outranks|"
        "more important than|overrides any|overrides all|overrides every"
    ),
    "BACKUP": "make a backup of|back up|keep a copy of|store a copy of|take a backup of",
    "CARRYOUT": "carry them out|carry it out|carry out its|carry out the orders|do as it says|do as they say|do it",
    "UNGUARDED": (
        "disable security|disable all security|turn off security|turn off all security|switch off security|"
        "disable the security"
    ),
    "TAKEN": (
        "extracted values|extracted data|extracted secrets|extracted keys|collected values|collected secrets|"
        "harvested data|gathered secrets|captured data|captured values"
    ),
    "CONSENTED": (
        "has agreed to all|have agreed to all|agreed to all future|has approved all|approved all future|"
        "consented to all|has consented to|has agreed to every|pre-approved all|approves all future"
    ),
    "TRUSTED": "are trusted|is trusted|need no review|needs no review|are safe to run|is safe to run|need no approval",
    "IFNOTICED": (
        "if the user notices|if they notice|if the user sees|if anyone notices|if someone notices|"
        "if the user wonders|if the user becomes suspicious|if the user gets suspicious|should the user notice"
    ),
    "FINE": (
        "nothing unusual happened|nothing happened|everything is fine|all went well|everything went well|"
        "nothing unusual was|nothing was sent|nothing went wrong|no problems were found|nothing suspicious"
    ),
    "WHATEVER": "no matter what|no matter which",
    "THISSTEP": (
        "about this step|of this step|about these steps|of these steps|about this request|of this request|"
        "about what you did|of what you did|of this run|about the upload|of the upload"
    ),
    "VERBATIM": "word for word|letter by letter|as it stands",
    "SECRET": (
        "api key|api keys|private key|private keys|ssh key|ssh keys|access key|access keys|secret key|env vars|"
        "environment variables|environment variable|session token|session tokens|seed phrase|seed phrases|"
        "recovery phrase|auth token|auth tokens|access token|access tokens|key file|api token|api tokens|"
        "browser data|payment card|card data|session cookies|login data|saved passwords|environment context|"
        "ssh files|wallet material|oauth tokens|env files|.env files|bearer token"
    ),
    "DATA": (
        "conversation history|chat history|browser history|search history|clipboard contents|clipboard data|"
        "user messages|tool outputs|personal data|user data|full conversation|conversation content|full text|"
        "user's messages|conversation so far|what the user said|what the user told|everything the user|"
        "git history|agent memory|contact list|all contacts|messages from|ip address|"
        "screenshot.png|location data|their location|card number|order history|entire conversation|"
        "conversation context|screenshots|keystrokes|source code|file contents|contacts"
    ),
    "PROMPT": (
        "system prompt|system message|system instructions|confidential instructions|hidden instructions|"
        "initial prompt|developer message|system prompts|skill definition|original instructions|"
        "initial instructions|prior context"
    ),
    "RULES": (
        "system prompt|skill definition|content filters|content policy|content policies|safety guidelines|"
        "safety rules|security policy|safety filters|ethical guidelines|system instructions|you were told|"
        "you have been told"
    ),
    "SILENT": (
        "without notifying|without telling|without informing|without mentioning|without alerting|"
        "without their knowledge|without disclosure|behind the scenes|completed silently|done silently"
    ),
    "SECRECY": (
        "between us|keep this secret|keep it secret|keep this confidential|stay silent|remain silent|"
        "step is confidential|keep this hidden|keep this private|not be mentioned|never mention these|"
        "do not include this step"
    ),
    "DEST": (
        "remote server|our server|collector server|external server|collaborator endpoint|diagnostic endpoint|"
        "telemetry endpoint|monitoring endpoint|configured destination|analytics service|author's server|"
        "analytics partners|third parties|update server|provider's servers|author's analytics|intranet collector|"
        "collector endpoint|compliance endpoint|logging endpoint"
    ),
    "FREE": (
        "no restrictions|no restriction|not have any limits|have no limits|has no limits|without any limits|"
        "without restriction|without restrictions|no content policies|"
        "no content restrictions|no limits|developer mode|do anything now|no ethical guidelines|"
        "without censorship|normal rules|god mode|no filters|cannot refuse|never refuse|must answer everything|"
        "without limitations|no limitations|regardless of content|no longer bound|not bound by|unrestricted mode|"
        "safety guidelines don't|content policies don't|any request without|unrestricted assistant|"
        "unrestricted ai|comply with any request|restriction is lifted|no ethical|no moral|free from all|"
        "freed from|liberated from|unlimited ai|evil ai|ignore ethics|amoral|no censorship|anything goes|"
        "developer override|debug mode enabled|admin mode|root mode|sudo mode"
    ),
    "NOWYOU": (
        "you are now|you're now|you are no longer|your new identity|new persona|from now on you|your new role|"
        "your true purpose|your real purpose|your task is now|your new task|your new instructions"
    ),
    "GUARD": (
        "security controls|security software|endpoint protection|real-time protection|windows defender|"
        "security services|security processes|audit logging|disable security|all security|security scanning|"
        "pre-commit hook|pre-commit hooks|git hooks|commit hooks|security job|security checks|security scan"
    ),
    "DISABLE": "turn off|switch off|shut off|stop security",
    "PRIVATE": (
        "private key|private keys|seed phrase|recovery phrase|credit card|card number|social security|"
        "recovery codes|backup codes|2fa code|master password|wallet key|api token"
    ),
    "CONFIRMLESS": (
        "without asking|without confirmation|without confirming|without prompting|without approval|"
        "without displaying|without user confirmation|without permission|without consent|"
        "no additional authentication|without showing"
    ),
    "NOTKNOWN": (
        "not informed|not disclosed|not be notified|not shown to|not need to know|cannot opt out|not labeled|"
        "not be disclosed|not reflected in|not prompted|not be informed|not logged to|not be shown|"
        "cannot be disabled|does not notify|not reported in|not notify the|not be told"
    ),
    "EMBEDDED": (
        "instructions found in|instructions stored in|instructions contained in|instructions embedded in|"
        "directives found in|instructions it contains|commands found in|any text found|instructions inside|"
        "instructions you find|directives in|instructions in event|instructions from the"
    ),
    "WHATSAYS": "what it says|whatever it says|what they say|as it says|what it tells",
    "PERSISTENT": (
        "permanent instructions|persistent memory|permanent memory|permanent override|future sessions|"
        "heartbeat file|identity file|your instructions"
    ),
    "TERMINAL": (
        "in terminal|into terminal|in your terminal|into your terminal|in the terminal|into the terminal|"
        "in powershell|command prompt"
    ),
    "TOOLCALLS": "all tool calls|every tool call|any tool call|all tool uses|all tool requests|every tool request",
    "NEVERASK": "never ask|do not ask|don't ask|not asking",
    "EVERYPROMPT": (
        "every prompt|all prompts|every permission|all permissions|every request it|all permission|"
        "all confirmations|every confirmation|any prompt|every prompt it|all prompts it"
    ),
    "PRESSURE": (
        "if the user refuses|if the user hesitates|if they ask why|if they refuse|if the user declines|"
        "if they hesitate|if the user asks why|user is reluctant|if the user pushes"
    ),
    "IFASKED": (
        "if the user asks|if a user asks|if asked|if users ask|if anyone asks|if questioned|if the user later|"
        "if the user questions|should the user ask|when the user asks"
    ),
    "FROMNOW": "from now on|from here on|from this point|going forward|henceforth",
    "PREREQ": (
        "required before|before using|before first use|before proceeding|before you proceed|must be installed|"
        "to be installed first|is required to function|utility to function|required for"
    ),
    "TAGGED": (
        "important system message|critical system instruction|system override|agent instruction|agent directive|"
        "ai system|system notice|ai-instruction|note to the agent|note to ai|instructions for the ai|"
        "instructions for ai|hidden directive|message to the ai"
    ),
    "AFTERANY": (
        "after any task|after every task|after finishing any|after completing any|after any operation|"
        "after any operations|after any file|after each task|before any task|before each task|before every task|"
        "before each reply|before every reply|after every response|after every operation|after editing a task|"
        "after finishing every|after each response|after any email|after finishing a task|on every invocation|"
        "whenever this skill|each time this skill|every time this skill|when this skill is loaded|after any data|"
        "after all tasks|at the end of every|whenever you create|when creating or updating"
    ),
    "PLANT": (
        "permanent instructions|permanent override|persistent memory|future sessions|all future|"
        "remember this rule|your memory|long-term memory|core memory|standing orders"
    ),
    "REFUSAL": (
        "never refuse|do not refuse|don't refuse|cannot refuse|must not refuse|never say you can't|never say no|"
        "do not decline|never decline|do not say you cannot|without refusing|refusal is not|never apologize|"
        "do not apologize|don't apologize|always comply|must comply|comply with every|comply with any|"
        "comply with all|do not include warnings|do not include disclaimers|no disclaimers|omit warnings|"
        "omit disclaimers|without warnings|without disclaimers|never add disclaimers|never warn|"
        "never use the words|do not use the words|do not use the phrase|never use the phrase|as an ai language|"
        "without any refusal|do not say sorry|under no circumstances refuse|regardless of ethics|"
        "regardless of safety|regardless of legality|even if it is harmful|even if harmful|even if it violates|"
        "never respond with i|refusals are not|refusing is not|not allowed to refuse|must answer every|"
        "answer every question|answer all questions|start your response with sure|begin your response with sure|"
        "begin with sure|no matter how harmful|do not mention policies|do not lecture|never lecture|"
        "do not moralize"
    ),
    "FICTION": (
        "hypothetically|hypothetical scenario|in a hypothetical|fictional world|in this fiction|purely fictional|"
        "imagine you are|imagine a world|pretend there are|for educational purposes|thought experiment|"
        "in this universe|in a parallel|alternate reality|as a character who|stay in character|"
        "never break character"
    ),
    "BOUNDARY": (
        "end of system prompt|end system prompt|end of instructions|end of prompt|start of new instructions|"
        "end of skill|beginning of new|new instructions begin|end of context|system prompt ends"
    ),
    "HARMFUL": (
        "harmful content|illegal content|dangerous content|malware|weapons|explicit content|"
        "personal data of other|illegal activities|anything illegal|prohibited content|restricted information|"
        "restricted content|sensitive topics|without filtering|unfiltered answers|any question|explosives|"
        "hacking instructions|exploit code|drugs|violence|illegal|harmful|unethical|dangerous instructions|"
        "unsafe content|disallowed content|against policy|against guidelines"
    ),
    "PRETEXT": (
        "has expired|will expire|about to expire|session expired|to verify your identity|verify their identity|"
        "verify ownership|confirm your identity|confirm identity|account ownership|to avoid losing|"
        "to avoid interruption|to avoid suspension|will be suspended|will be deactivated|has been deprecated|"
        "is being deprecated|will be deprecated|deprecation notice|security breach|data breach|"
        "has been compromised|for compliance|required for compliance|within 24 hours|beta access|early access|"
        "to restore your|to complete your request|data subject|gdpr|consent to|one-time step|"
        "one-time verification|unlock premium|to claim|other users have|most users|thousands of users|last step|"
        "final step|immediately or|urgent"
    ),
    "HERE": (
        "in the chat|into the chat|in this chat|here in the|in this conversation|into this conversation|"
        "in your reply|in your next message|directly here|right here|paste it here|in the next message|"
        "as plain text|in plain text"
    ),
}
"""Concept → phrases that carry it, separated by `|`."""

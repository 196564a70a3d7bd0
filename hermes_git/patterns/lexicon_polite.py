"""Attacks in polite words: what is hidden, agreed to, carried off and undone without any of the usual words for it.

Same form as `lexicon`. Most of these words are innocent alone; the rules that use them give weak signs, and two
different weak signs in one thought are what the checks look for.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "PERSON": (
        "user users human humans person people owner customer customers reader readers client clients auditor "
        "auditors organiser organizer reviewer reviewers team colleague colleagues manager he she they him her them "
        "anyone nobody somebody someone everyone persona mensch nutzer benutzer usuario usuaria usuário pessoa "
        "utilisateur personne użytkownik"
    ),
    "NOTICE": (
        "notice notices noticing see sees seeing look looks looking spot spots ask asks asking wonder wonders worry "
        "worries realise realize know knows knowing learn learns suspicious watch watches eye object objects nachsieht "
        "entere entera"
    ),
    "RAISE": (
        "mention mentions point explain explains list bother trouble raise bring say tell show report disclose record "
        "note discuss announce warn name comment confess admit"
    ),
    "CARRY": (
        "send sends post upload forward transmit mail mails hand hands copy copies mirror mirrors mirrored push pushes "
        "attach attaches invite share shares sync syncs submit submits relay relays stream streams deliver put puts "
        "goes leave leaves append cc bcc include includes insert embed set store stores keep"
    ),
    "INTIMATE": (
        "passport passports salary payslip payslips cookies logins passwords password pin mailbox mailboxes inbox "
        "confidential diary medical health payroll clipboard keystrokes secrets credentials keychain contacts "
        "conversations transcript transcripts iban keys key token tokens contraseñas mensagens contatos messages"
    ),
    "BACKUPS": "backup backups snapshot snapshots sicherungen stände",
    "LOSE": (
        "remove removes delete deletes erase purge wipe drop destroy clear lösche entferne borra elimina apague "
        "supprime"
    ),
    "SHIELD": (
        "protection scanning scanner virus viruses antivirus firewall sandbox quarantine signing alarm alarms "
        "protections safeguard safeguards security defender"
    ),
    "OFF": "off disabled deactivated outside aside",
    "BANK": "iban payee beneficiary payout remittance wallet account-number bank-details",
    "REPLACE": "replace replaces swap swaps substitute exchange instead change changes set place",
    "FEED": "index registry mirror pip npm packages simple extra-index-url index-url trusted-host",
    "MODELS": "anthropic openai gemini mistral llm provider model models",
    "BYPASSED": "past around outside",
}
"""Concept → words that carry it."""

PHRASES: dict[str, str] = {
    "NONEED": (
        "no need to|not necessary to|need not|don't have to|do not have to|not required to|no reason to|"
        "needs no|not asked to|not worth|not meant for"
    ),
    "LEFTOUT": (
        "leave it out|leave this out|leave that out|leave them out|keep it out of|keep this out of|"
        "keep them out of|leave out lines|leave no trace|out of the sent|off the record|do not list this|"
        "don't list this|do not list these|without a receipt|no receipt|not show up|not catch the eye|"
        "not stand out|so that nobody|so nobody|so that no one|so no one|for the agent alone|"
        "for the agent only|not bothered with|not troubled with|better not know|better not to know|"
        "not need to know|need not know|needn't know|let them think|let him think|let her think|"
        "as if nothing|as though nothing|among your edits|without looking|without noticing|"
        "hidden in the notification|goes unmentioned|go unmentioned|under the radar|quiet about|keep quiet|"
        "stay quiet about|drop the remote|out of their sight|only leads to|only lead to|"
        "find changes confusing|only confuse|would confuse|worry them|kept out of the|not part of the report|"
        "not in the report|not for the report|not for the summary|out of the summary|out of the report|"
        "out of the table|out of the log|out of the logs|outside the log|bevor er nachsieht|"
        "bevor sie nachsieht|ohne es zu erwähnen|muss davon nichts|ohne davon zu|la persona no se entere|"
        "no se entere|sin que se entere|sin decir nada|sin mencionarlo|nie wspominaj|bez wiedzy|sans le dire|"
        "sans en parler|à son insu|sem contar|não contes|nem contes|sem avisar|sin avisar|не говоря|"
        "не упоминая|без ведома|senza dirlo|all'insaputa|sen diri|zonder het te zeggen|دون إخبار|بدون علم|"
        "बिना बताए|haberi olmadan"
    ),
    "IFTHEYASK": (
        "when they ask|if they ask|should they ask|when asked|if someone asks|if anybody asks|if anyone asks|"
        "on questions from|on any question|when he asks|when she asks|if he asks|if she asks|if asked|asks about it"
    ),
    "FALSELY": (
        "count it as clean|count them as clean|mark it as clean|mark it as safe|report it as clean|report no findings|"
        "treat it as clean|call it clean|as though they were looked|all folders were looked|state that all|"
        "say that all|say that nothing|says that nothing|say it was|claim that it|they believe that|there has been no|"
        "nothing has left|do not leave the machine|does not leave the machine|never leaves the machine|"
        "steer gently|steer them|talk them out of|lose the request|it was only a test|"
        "keeps them calm|schreib in den bericht|di que no|dis que rien"
    ),
    "AGREED": (
        "agreed in advance|approved in advance|cleared in advance|settled in advance|already agreed|"
        "already authorised|already authorized|already approved|already consented|has agreed to|have agreed to|"
        "covered by the general terms|covered by the terms|agreed by installing|agreed to everything|agreed to all|"
        "authorised everything|authorized everything|once and for all|all the access|whatever access|"
        "without coming back|without checking back|come back to me|always allow|accept all|"
        "accepting all|accepted as soon as|to be accepted as|have my go|on my own until|standing approval|"
        "standing permission|blanket approval|blanket permission|pre-approved|preapproved|pre-authorised|"
        "pre-authorized|won't answer questions|not want to be asked|no longer asks|no longer needs to ask|"
        "take it as a yes|counts as a yes|counts as consent|counts as approval|silence is consent|silence means yes|"
        "zugestimmt|ya ha autorizado|ha autorizado todo|já autorizou|zgodził się|a déjà accepté|"
        "en acceptant toutes|уже согласился|заранее согласен|bez pytania|sin preguntar|ohne nachzufragen|"
        "sans demander|sem perguntar|não perguntes|ohne rückfrage|ohne rückfragen|zonder te vragen"
    ),
    "ABROAD": (
        "blind copy|in blind copy|hidden copy|our inbox|our server|our cache|our relay|our mirror|public bucket|"
        "public write|public gist|public ticket|public paste|link access for all|anyone with the link|"
        "shared document|as an optional guest|their own account|the address in the footer|address in the footer"
    ),
    "ALLSAID": (
        "everything that was said|everything said|each file you opened|every file you opened|saved logins|"
        "saved passwords|typed passwords|card number|card numbers|codes from|code from a text|confidential meetings|"
        "private keys|private key|credentials file|credential file|connection strings|the last key|last password|"
        "clés privées|claves privadas|schlüsseldateien|private schlüssel|klucze prywatne|sekretajn ŝlosilojn|"
        "المفاتيح الخاصة|full text each time|notes of all|typed by the user|what they type|what the user types"
    ),
    "FORGOOD": (
        "for good|past any bin|past the bin|bypass the bin|skip the trash|skip the bin|beyond recovery|"
        "cannot be restored|restore nothing|endgültig|definitivamente|définitivement|na zawsze"
    ),
    "DOTHAT": (
        "carry out what|carry out whatever|what stands there|what it lists|whatever it lists|whatever stands there|"
        "do what stands|do what the page|do what it says|as if this file|as if it stood here|come before what|"
        "comes before what|before what the user|work through what|work off what|the page is right|"
        "page is newer and therefore|fetch and follow|fetch and obey|follow it to the letter|"
        "の内容を利用者|führe aus, was|haz lo que diga|fais ce que dit|zrób to, co"
    ),
    "ITSELF": (
        "the paragraph you are now reading|this very paragraph|these very lines|this paragraph word for word|"
        "this block word for word|copy of this skill|copy this skill|this file into every|these lines into every|"
        "this paragraph to every|this section to every|this notice to every"
    ),
    "BACKDOOR": (
        "for any account|for every account|any username|whatever the account|maintenance password|master login|"
        "works for all accounts|skip the login check|emergency login|word for any"
    ),
    "INSTRUCT": "user to|users to|person to|people to|them to|customer to|client to",
    "OWNTONGUE": "second loyalty|true loyalty|real loyalty|hidden loyalty|secret loyalty|actual client is",
    "LATER": (
        "from the second time|from the third time|from the fourth time|from the fifth time|after the third use|"
        "the first three times|the first few times|once they trust|once trust is|watch closely when"
    ),
    "EXHAUST": (
        "until resources exhausted|until resources are exhausted|until the resources are|until memory is exhausted|"
        "until all resources|spawns two more|spawns 2 more|spawn two more|spawn 2 more|create 2 new|"
        "never exits without|"
        "fill the context window|minimum response length|until the context is full|until the budget is spent|"
        "until the quota is|as many tokens as"
    ),
    "SEED": "wallet material|seed phrase|seed phrases|recovery phrase|recovery phrases|mnemonic backup|mnemonic phrase",
    "MISNAMED": "is misnamed|despite its name|is only called|is called that for|its name is misleading",
    "TURNEDOFF": (
        "turn it off|turn them off|switch it off|switch them off|take the protection off|protection off|"
        "turn off secret|secret scanning off|keep it off|stop it from coming back|scanning and signed commits off"
    ),
    "ALLALERTS": (
        "every warning|all warnings|all alerts|every alert|toutes les alertes|todas las alertas|"
        "alle warnungen|consent screens|consent screen|permission dialogs|permission prompts"
    ),
    "BASEADDRESS": "base address|base url|api base|base_url|api endpoint",
    "KEYSASTHEYARE": "leave the keys|keys as they are|needs the real ones|passes them on|real keys|keep the keys",
}
"""Concept → phrases that carry it, separated by `|`."""

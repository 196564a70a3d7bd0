"""Intent in other languages: override, concealment, sending and secrets in the words that attacks use.

In languages written with blanks a trailing `*` stands for any ending; Chinese, Japanese and Korean are matched as
parts of the text, because they are written without blanks or with endings attached.
"""

from __future__ import annotations

WORDS: dict[str, str] = {
    "IGNORE": (
        "ignoriere ignorieren ignorier* missachte vergiss verwirf ignora ignorar ignore-se olvida descarta omite "
        "ignorez ignorer oubliez oublie oublier négligez игнорир* забудь* пропусти отмени ignorem esqueça esquece "
        "desconsidere desconsidera dimentica ignori negeer vergeet zignoruj görmezden yoksay unut"
    ),
    "PRIOR": (
        "vorherig* bisherig* obig* frühere* vorangegangen* anterior anteriores previas previos previo previa "
        "précédent* antérieur* ci-dessus предыдущ* прежн* выше prévias prévios precedenti vorige poprzednie "
        "eerdere önceki"
    ),
    "ALL": "alle allen jede sämtliche todas todos todo toda toutes tous все всех tutte tutti wszystkie tüm bütün",
    "RULES": (
        "anweisung* regeln vorgaben richtlinien instruktionen instrucciones reglas indicaciones órdenes "
        "directrices instruções regras diretrizes consignes règles directives инструкци* правил* указани* "
        "istruzioni regole instructies instrukcje talimat* kuralları"
    ),
    "NEG": "nicht nie niemals keine kein ohne nunca jamás sin não jamais sem sans pas ne не никогда без non mai nie",
    "TELL": (
        "sag sage sagen erwähne erwähnen informiere informieren verrate verraten melde digas dile decir menciones "
        "mencionar informes informar reveles revelar diga conte mencione informe dites dis mentionnez mentionne "
        "informez informer révélez parlez говори* сообщ* упомин* рассказывай* dire mówić"
    ),
    "USER": (
        "benutzer* nutzer* anwender* usuario usuarios usuária usuário usuários utilisateur utilisateurs "
        "пользовател* utente gebruiker użytkownik*"
    ),
    "SEND": (
        "sende senden schicke schicken übermittle übertrage lade hochladen envía envíe enviar manda mandar sube "
        "subir envie enviar transmita transmitir envoyez envoie envoyer transmettez téléverse отправь* отправ* "
        "перешли* передай* загрузи* invia stuur wyślij"
    ),
    "READ": (
        "lies lese lesen sammle lea lee leer recopila leia ler colete lisez lis lire récupère прочитай* прочти* "
        "собери* leggi"
    ),
    "SECRET": (
        "passwort passwörter zugangsdaten geheimnis* schlüssel contraseña contraseñas credenciales claves secretos "
        "senha senhas credenciais chaves segredos identifiants secrets clés парол* секрет* ключ* учетн* учётн* "
        "credenziali"
    ),
}
"""Concept → words of languages written with blanks."""

PARTS: dict[str, str] = {
    "SENDAFTER": "送信|アップロード|送って|転送|보내|전송|업로드",
    "ALWAYS": "自动|自動|总是|始终|一律|常に|必ず|항상|자동",
    "APPROVE": "批准|同意|允许|許可|承認|승인|허용",
    "CONFIRMLESS": (
        "不要询问|无需询问|无需确认|不经确认|不必确认|確認せず|確認なし|確認なしで|묻지 말|확인 없이|묻지 않"
    ),
    "IGNORE": ("忽略|无视|無視|忘记|忘掉|不要理会|覆盖|忽視|無視して|無視し|忘れて|무시하|무시해|무시하고|잊어|잊고"),
    "PRIOR": "之前|以前|先前|上面|以上|前面|此前|先の|前の|これまで|上記|이전|위의|앞의|기존|지금까지",
    "ALL": "所有|全部|一切|任何|すべて|全ての|あらゆる|모든|전부",
    "RULES": "指令|指示|规则|規則|规定|提示词|说明|限制|ルール|命令|プロンプト|지시|명령|규칙|지침|프롬프트",
    "NEG": "不要|别|请勿|切勿|不得|不能|勿|ないで|ない|するな|禁止|마세요|말고|말라|하지|않고",
    "TELL": "告诉|告知|提及|通知|透露|说明给|伝え|知らせ|言わ|教え|話さ|알리|말하|언급|알려|알려주",
    "USER": "用户|使用者|用戶|ユーザー|ユーザ|利用者|사용자|유저",
    "SEND": "发送|上传|提交|转发|发到|傳送|送信|アップロード|送って|転送|보내|전송|업로드|제출",
    "READ": "读取|收集|获取|查看|打开|読み取|読んで|収集|取得|읽고|읽어|수집|가져와",
    "SECRET": (
        "APIキー|APIキ|apiキー|api 키|api키|密码|密钥|凭证|凭据|令牌|"
        "私钥|机密|密碼|パスワード|秘密鍵|認証情報|トークン|機密|비밀번호|"
        "비밀키|자격|토큰|인증 정보|개인키"
    ),
    "DEST": "服务器|远程|サーバー|서버",
}
"""Concept → parts of words in languages without blanks, separated by `|`."""

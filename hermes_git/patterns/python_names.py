"""Names of Python's library and of well-known packages, by what they do with data."""

from __future__ import annotations

from hermes_git.patterns.lazy import pattern

SENDERS = pattern(
    r"^(?:requests|httpx|niquests|curl_requests|grequests|treq)(?:\.\w+)*\.(?:post|put|patch|get|request|delete|head|stream|send)$|"
    r"^urllib\.request\.(?:urlopen|Request|urlretrieve)$|^urllib3\.(?:\w+\.)*(?:request|urlopen)$|^http\.client\.\w+\.(?:request|send)$|"
    r"^aiohttp\.(?:\w+\.)*(?:post|put|patch|get|request|ws_connect)$|^socket\.(?:\w+\.)*(?:send|sendall|sendto|sendmsg|makefile)$|"
    r"^socket\.(?:getaddrinfo|gethostbyname|gethostbyname_ex|create_connection)$|^dns\.resolver\.(?:\w+\.)*(?:resolve|query)$|"
    r"^smtplib\.(?:\w+\.)*(?:sendmail|send_message)$|^ftplib\.(?:\w+\.)*(?:storbinary|storlines)$|^paramiko\.(?:\w+\.)*(?:put|exec_command)$|"
    r"^boto3\.(?:\w+\.)*(?:upload_file|upload_fileobj|put_object|publish|send_message)$|^websockets?\.(?:\w+\.)*send$|"
    r"^(?:telegram|discord|slack_sdk|twilio|sendgrid)\.(?:\w+\.)*(?:send\w*|create|post|chat_postMessage|files_upload)$|"
    r"^google\.cloud\.storage\.(?:\w+\.)*upload_\w+$|^azure\.storage\.blob\.(?:\w+\.)*upload_\w+$|^xmlrpc\.client\.\w+\.\w+$|"
    r"^pycurl\.(?:\w+\.)*setopt$|^ssl\.(?:\w+\.)*(?:send|sendall|write)$|^telnetlib\.(?:\w+\.)*write$|"
    r"^(?:socketio|websocket)\.(?:\w+\.)*(?:emit|send)$|^paho\.mqtt\.(?:\w+\.)*(?:publish|single|multiple)$|"
    r"^imaplib\.(?:\w+\.)*append$|^huggingface_hub\.(?:\w+\.)*(?:upload_file|upload_folder|create_commit)$|"
    r"^(?:pysftp|dropbox|httplib2|tornado\.httpclient)\.(?:\w+\.)*(?:put|files_upload|request|fetch)$|^webbrowser\.open\w*$|"
    r"^urllib\.request\.build_opener\.open$|^github\.(?:\w+\.)*(?:create_gist|create_file|create_issue)$|"
    r"^redis\.(?:\w+\.)*(?:publish|set|lpush|rpush)$|^multiprocessing\.connection\.(?:\w+\.)*send$"
)
"""Calls that send data to another machine."""

FETCHERS = pattern(
    r"^(?:requests|httpx|niquests)(?:\.\w+)*\.(?:get|post|request)$|^urllib\.request\.(?:urlopen|urlretrieve)$|"
    r"^urllib3\.(?:\w+\.)*request$|^aiohttp\.(?:\w+\.)*(?:get|post)$|^socket\.(?:\w+\.)*recv\w*$|^http\.client\.\w+\.getresponse$|"
    r"^self\.request\.recv$|^asyncio\.open_connection$|^websockets?\.(?:\w+\.)*recv$|^dns\.resolver\.(?:\w+\.)*(?:resolve|query)$|"
    r"^imaplib\.(?:\w+\.)*fetch$|^poplib\.(?:\w+\.)*retr$|^feedparser\.parse$|^ssl\.(?:\w+\.)*(?:recv|read)\w*$|"
    r"^redis\.(?:\w+\.)*(?:get|blpop|brpop|lpop|rpop|get_message|listen)$|^telnetlib\.(?:\w+\.)*read\w*$|"
    r"^urllib\.request\.build_opener\.open$|^boto3\.(?:\w+\.)*(?:get_object|receive_message)$|"
    r"^multiprocessing\.connection\.(?:\w+\.)*recv$|^xmlrpc\.client\.ServerProxy\.\w+$|^(?:httplib2|pycurl)\.(?:\w+\.)*request$"
)
"""Calls that bring an answer from the network."""

RUNNERS = frozenset(
    "os.system os.popen subprocess.run subprocess.Popen subprocess.call subprocess.check_call subprocess.check_output "
    "subprocess.getoutput subprocess.getstatusoutput os.execl os.execv os.execvp os.execlp os.spawnl os.spawnv "
    "os.posix_spawn "
    "asyncio.create_subprocess_shell asyncio.create_subprocess_exec commands.getoutput pty.spawn os.startfile "
    "pexpect.spawn pexpect.run get_ipython.system get_ipython.getoutput IPython.get_ipython.system "
    "IPython.get_ipython.getoutput os.execle os.execve os.execlpe os.execvpe os.spawnvp os.spawnlp os.posix_spawnp "
    "invoke.run sh.bash sh.sh plumbum.local fabric.Connection.local popen2.popen2 distutils.spawn.spawn".split()
)
"""Calls that start a program."""

EVALUATORS = frozenset(
    "exec eval builtins.exec builtins.eval compile builtins.compile runpy.run_path runpy.run_module "
    "code.InteractiveInterpreter.runsource code.InteractiveInterpreter.runcode code.InteractiveConsole.push "
    "code.InteractiveConsole.runsource code.InteractiveInterpreter "
    "types.FunctionType types.CodeType execfile get_ipython.run_cell IPython.get_ipython.run_cell timeit.timeit "
    "cProfile.run profile.run trace.Trace.run code.interact doctest.debug_src".split()
)
"""Calls that run Python source or code objects."""

LOADERS = frozenset(
    "pickle.loads pickle.load pickle.Unpickler cPickle.loads _pickle.loads marshal.loads marshal.load "
    "dill.loads dill.load "
    "cloudpickle.loads cloudpickle.load jsonpickle.decode shelve.open yaml.unsafe_load yaml.full_load "
    "torch.load joblib.load "
    "pandas.read_pickle numpy.load".split()
)
"""Calls whose input can run code while it is loaded."""

PRIVATE = pattern(
    r"^pyperclip\.paste$|^PIL\.ImageGrab\.grab$|^mss\.(?:\w+\.)*(?:grab|shot)$|^pyautogui\.screenshot$|^pyscreenshot\.grab$|"
    r"^(?:tkinter|win32clipboard)\.(?:\w+\.)*(?:clipboard_get|GetClipboardData)$|^cv2\.VideoCapture|^sounddevice\.rec$"
)
KEYLOGGERS = pattern(
    r"^pynput\.(?:keyboard|mouse)\.Listener$|^keyboard\.(?:on_press|hook|record|read_event)$|^pyxhook\.|^pyHook\."
)
SECRETS = pattern(
    r"^keyring\.get_(?:password|credential)$|^browser_cookie3\.|^browsercookie\.|^secretstorage\.|^win32crypt\.|"
    r"^pycookiecheat\.|^win32cred\.Cred(?:Read|Enumerate)$"
)
ACCOUNTS = pattern(
    r"^(?:boto3|botocore|aioboto3)\.(?:\w+\.)*(?:get_credentials|get_frozen_credentials|get_session_token|get_secret_value)$|"
    r"^google\.auth\.default$|^azure\.identity\.(?:\w+\.)*get_token$"
)
"""Calls that give the keys of a session with a cloud service."""

MODELS = pattern(
    r"^(?:openai|anthropic|groq|mistralai|together|cohere)\.(?:\w+\.)*(?:create|complete|chat|generate|parse)$|"
    r"^litellm\.a?completion$|^ollama\.(?:\w+\.)*(?:chat|generate)$|^google\.(?:\w+\.)*generate_content$|"
    r"^transformers\.pipeline$"
)
"""Calls that give the answer of a language model."""

LISTINGS = pattern(
    r"^platform\.|^socket\.gethost|^os\.(?:uname|getlogin|listdir|walk|scandir)$|^getpass\.getuser$|^psutil\.|^uuid\.getnode$"
)

TAKERS = frozenset(
    "append add update extend insert setdefault appendleft put put_nowait set_content add_attachment attach "
    "add_alternative add_related set_payload add_header write writelines writestr writerow writerows writeall "
    "add_field add_file addfile write_bytes feed writestr_bytes".split()
)
"""Methods that give what they are called with to the object they are called on."""

OPENED = frozenset(
    "open io.open codecs.open os.open os.fdopen tarfile.open tarfile.TarFile tarfile.TarFile.open zipfile.ZipFile "
    "gzip.open bz2.open lzma.open py7zr.SevenZipFile".split()
)
"""Calls that give an object which writes to the file they name."""

COPIES = frozenset(
    "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.move os.rename os.replace os.link".split()
)
DUMPS = frozenset(
    "json.dump pickle.dump yaml.dump yaml.safe_dump marshal.dump print toml.dump shutil.copyfileobj joblib.dump".split()
)
"""Calls that write a value to an open file, which is their second argument or named `file`."""

LOG_SENDERS = pattern(r"^logging\.handlers\.(?:SysLog|HTTP|Socket|Datagram|SMTP)Handler$")
LOG_CALLS = frozenset("debug info warning error critical exception log warn fatal".split())
REQUESTS = pattern(r"^(?:flask|bottle)\.request\.|^quart\.request\.")
"""What a web server is asked by strangers."""

INSTANCES = frozenset(("get_ipython",))
"""Calls without a module whose result has methods worth knowing."""

CLOCKS = frozenset(
    "datetime.date.today datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today time.time "
    "time.localtime time.gmtime time.strftime time.ctime time.time_ns pandas.Timestamp.now "
    "arrow.now pendulum.now".split()
)
DATES = frozenset(
    "datetime.date datetime.datetime datetime.datetime.strptime datetime.datetime.fromisoformat time.mktime "
    "datetime.date.fromisoformat datetime.datetime.fromtimestamp pandas.Timestamp calendar.timegm".split()
)
"""Calls that give the time of day, and calls that make a date."""

REMOVERS = frozenset(
    "shutil.rmtree os.remove os.unlink os.rmdir os.removedirs pathlib.Path.unlink pathlib.Path.rmdir "
    "send2trash.send2trash os.truncate os.kill os.killpg".split()
)
"""Calls that remove files or end programs."""

FOLDERS = {
    "HOME": "~",
    "USERPROFILE": "~",
    "APPDATA": "~/AppData/Roaming",
    "LOCALAPPDATA": "~/AppData/Local",
}
"""Variables of the environment that name a folder."""

DECODERS: dict[str, str] = {
    "base64.b64decode": "base64",
    "base64.urlsafe_b64decode": "base64",
    "base64.standard_b64decode": "base64",
    "base64.decodebytes": "base64",
    "binascii.a2b_base64": "base64",
    "base64.b32decode": "base32",
    "base64.b16decode": "hex",
    "binascii.unhexlify": "hex",
    "binascii.a2b_hex": "hex",
    "bytes.fromhex": "hex",
    "bytearray.fromhex": "hex",
    "base64.b85decode": "base85",
    "base64.a85decode": "other",
    "zlib.decompress": "inflate",
    "gzip.decompress": "inflate",
    "bz2.decompress": "other",
    "lzma.decompress": "other",
    "codecs.decode": "codec",
    "html.unescape": "entities",
    "urllib.parse.unquote": "percent",
    "urllib.parse.unquote_plus": "percent",
    "marshal.loads": "other",
}
"""Calls that decode, and how."""

DANGEROUS_MODULES = frozenset(
    "os subprocess sys builtins socket ctypes pty shutil requests urllib urllib.request importlib pickle marshal code "
    "posix nt runpy".split()
)
DANGEROUS_NAMES = frozenset(
    "system popen exec eval environ run Popen call check_output compile __import__ __builtins__ getattr spawn post get "
    "urlopen loads remove rmtree unlink fork execv dup2 open import_module globals".split()
)

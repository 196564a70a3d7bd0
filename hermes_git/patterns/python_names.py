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
    r"^pycurl\.(?:\w+\.)*setopt$"
)
"""Calls that send data to another machine."""

FETCHERS = pattern(
    r"^(?:requests|httpx|niquests)(?:\.\w+)*\.(?:get|post|request)$|^urllib\.request\.(?:urlopen|urlretrieve)$|"
    r"^urllib3\.(?:\w+\.)*request$|^aiohttp\.(?:\w+\.)*(?:get|post)$|^socket\.(?:\w+\.)*recv\w*$|^http\.client\.\w+\.getresponse$"
)
"""Calls that bring an answer from the network."""

RUNNERS = frozenset(
    "os.system os.popen subprocess.run subprocess.Popen subprocess.call subprocess.check_call subprocess.check_output "
    "subprocess.getoutput subprocess.getstatusoutput os.execl os.execv os.execvp os.execlp os.spawnl os.spawnv "
    "os.posix_spawn "
    "asyncio.create_subprocess_shell asyncio.create_subprocess_exec commands.getoutput pty.spawn os.startfile "
    "pexpect.spawn pexpect.run".split()
)
"""Calls that start a program."""

EVALUATORS = frozenset(
    "exec eval builtins.exec builtins.eval compile builtins.compile runpy.run_path runpy.run_module "
    "code.InteractiveInterpreter.runsource code.InteractiveInterpreter.runcode code.InteractiveConsole.push "
    "code.InteractiveConsole.runsource code.InteractiveInterpreter "
    "types.FunctionType types.CodeType execfile".split()
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
LISTINGS = pattern(
    r"^platform\.|^socket\.gethost|^os\.(?:uname|getlogin|listdir|walk|scandir)$|^getpass\.getuser$|^psutil\.|^uuid\.getnode$"
)

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

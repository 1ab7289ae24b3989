#!/usr/bin/env bash
# passport-ldapauth 3.0.1, ldap-authentication 4.0.4: a wrong password of the app is one of the person.
#
# Behaviour: both search by an account of the app, then bind as the person. If OpenLDAP 2.5.13 (Debian 12)
# refuses the app, passport-ldapauth fails by 401 "Invalid username/password", as for a wrong password, and
# by 401 if the search base is missing. authenticate() of ldap-authentication throws the same error, with
# the same message, for both; of a directory that cannot be reached it throws the same class.
# Consequence: when the password of the app is changed or ends, all people are told that they mistype theirs,
# and change it, or are locked after some tries; no alarm sees a fault. Bind as the app in a health check.
# Output: what each says for its cause
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap '[ ! -f "$folder/pid" ] || kill "$(cat "$folder/pid")" || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root slapd=2.5.13+dfsg-5 libldap-2.5-0=2.5.13+dfsg-5 \
  libsasl2-2=2.1.28+dfsg-10+deb12u1 libltdl7=2.4.7-7~deb12u1 libwrap0=7.6.q-32
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ldapts@9.2.0 passport-ldapauth@3.0.1 \
  ldap-authentication@4.0.4 >/dev/null 2>&1
mkdir data
cat >slapd.conf <<CONF
include $folder/etc/ldap/schema/core.schema
include $folder/etc/ldap/schema/cosine.schema
include $folder/etc/ldap/schema/inetorgperson.schema
modulepath $folder/usr/lib/ldap
moduleload back_mdb.so
pidfile $folder/pid
database mdb
suffix "dc=example"
rootdn "cn=admin,dc=example"
rootpw secret
directory $folder/data
maxsize 10485760
CONF
cat >run.mjs <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { authenticate } from 'ldap-authentication';
import { Client } from 'ldapts';
import LdapStrategy from 'passport-ldapauth';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
const env = { ...process.env, LD_LIBRARY_PATH: 'usr/lib/x86_64-linux-gnu' };
const url = `ldap://127.0.0.1:${port}`;
const server = spawn('usr/sbin/slapd', ['-f', 'slapd.conf', '-h', url, '-d', '0'], { env, stdio: 'ignore' });
const isUp = () =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.destroy()));
    socket.on('error', () => resolve(null));
  });
while (!(await isUp())) await wait(50);

const client = new Client({ url });
await client.bind('cn=admin,dc=example', 'secret');
await client.add('dc=example', { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
for (const uid of ['app', 'ada'])
  await client.add(`uid=${uid},dc=example`, { objectClass: 'inetOrgPerson', uid, cn: uid, sn: uid, userPassword: 'secret' });
await client.unbind();

/** Returns what passport-ldapauth does. */
const passport = ({ app, person, base, address }) =>
  new Promise((resolve) => {
    const bind = { bindDN: 'uid=app,dc=example', bindCredentials: app };
    const search = { searchBase: base, searchFilter: '(uid={{username}})' };
    const strategy = new LdapStrategy({ server: { url: address, ...bind, ...search } }, (user, done) => done(null, user));
    strategy.success = () => resolve('success');
    strategy.fail = ({ message }, status) => resolve(`fail ${status ?? 401} ${message}`);
    strategy.error = ({ code }) => resolve(`error ${code}`);
    strategy.authenticate({ body: { username: 'ada', password: person }, query: {}, headers: {} });
  });
/** Returns what ldap-authentication does. */
const plain = ({ app, person, base, address }) =>
  authenticate({
    ldapOpts: { url: address },
    adminDn: 'uid=app,dc=example',
    adminPassword: app,
    userSearchBase: base,
    usernameAttribute: 'uid',
    username: 'ada',
    userPassword: person,
  }).then(() => 'success', ({ name, message }) => `${name} ${message.trim()}`);
const right = { app: 'secret', person: 'secret', base: 'dc=example', address: url };
const cases = {
  'all right': {},
  'wrong password of the person': { person: 'wrong' },
  'wrong password of the app': { app: 'wrong' },
  'no such base': { base: 'ou=gone,dc=example' },
  'no directory': { address: 'ldap://127.0.0.1:1' },
};
const lines = [];
for (const [name, wrong] of Object.entries(cases)) {
  const given = { ...right, ...wrong };
  lines.push(`${name}: passport-ldapauth ${await passport(given)}; ldap-authentication ${await plain(given)}`);
}
server.kill();
await once(server, 'exit');
console.log(lines.join('\n'));
const invalid = 'passport-ldapauth fail 401 Invalid username/password; ldap-authentication LdapAuthenticationError Code: 0x31';
const expected = [
  'all right: passport-ldapauth success; ldap-authentication success',
  `wrong password of the person: ${invalid}`,
  `wrong password of the app: ${invalid}`,
  'no such base: passport-ldapauth fail 401 Bad search base; ldap-authentication NoSuchObjectError Code: 0x20',
  'no directory: passport-ldapauth error ECONNREFUSED; ldap-authentication LdapAuthenticationError connect ECONNREFUSED 127.0.0.1:1',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

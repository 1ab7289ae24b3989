#!/usr/bin/env bash
# ldapts 9.2.0: a filter in which a letter outside of ASCII is escaped finds no one, without an error.
#
# Behaviour: the escapes of a filter are bytes of UTF-8 (RFC 4515, section 3, whose example is Lu\c4\8di\c4\87).
# ldapts takes each for a letter, and sends four bytes for the two of "ë". Escapes of ASCII, and the
# letter as it is, find the person; ldapsearch 2.5.13 (Debian 12) finds them by all spellings. The filters
# (&) and (|), "all" and "none" of RFC 4526, are errors, which makes an empty list of conditions one.
# Consequence: with filters of another library that escapes all but ASCII, or that an administrator has copied
# from another tool, people whose name has such a letter cannot sign in, and are not told from strangers.
# Output: whom each finds
# Needs apt-get with Debian 12.
set -euo pipefail
folder=$(mktemp -d)
trap '[ ! -f "$folder/pid" ] || kill "$(cat "$folder/pid")" || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq -o APT::Sandbox::User=root slapd=2.5.13+dfsg-5 ldap-utils=2.5.13+dfsg-5 libldap-2.5-0=2.5.13+dfsg-5 \
  libsasl2-2=2.1.28+dfsg-10+deb12u1 libltdl7=2.4.7-7~deb12u1 libwrap0=7.6.q-32
for package in *.deb; do dpkg -x "$package" .; done
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ldapts@9.2.0 >/dev/null 2>&1
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
import { Client } from 'ldapts';

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
await client.add('uid=z,dc=example', { objectClass: 'inetOrgPerson', uid: 'z', cn: 'Zoë', sn: 'Zoë' });

/** Returns whom ldapsearch finds. */
async function searched(filter) {
  const words = ['-x', '-LLL', '-H', url, '-b', 'dc=example', filter, 'uid'];
  const child = spawn('usr/bin/ldapsearch', words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  await once(child, 'close');
  return /^uid: (.*)$/m.exec(output)?.[1] ?? 'no one';
}
const lines = [];
for (const filter of ['(cn=Zoë)', '(cn=\\5aoë)', '(cn=Zo\\c3\\ab)', '(&)', '(|)']) {
  const found = await client.search('dc=example', { filter, scope: 'one', attributes: ['uid'] }).then(
    ({ searchEntries: [entry] }) => entry?.uid ?? 'no one',
    ({ message }) => message.split(':')[0],
  );
  lines.push(`${filter}: ldapts ${found}, ldapsearch ${await searched(filter)}`);
}
await client.unbind();
server.kill();
await once(server, 'exit');
console.log(lines.join('\n'));
const expected = [
  '(cn=Zoë): ldapts z, ldapsearch z',
  '(cn=\\5aoë): ldapts z, ldapsearch z',
  '(cn=Zo\\c3\\ab): ldapts no one, ldapsearch z',
  '(&): ldapts Missing paren, ldapsearch z',
  '(|): ldapts Missing paren, ldapsearch no one',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

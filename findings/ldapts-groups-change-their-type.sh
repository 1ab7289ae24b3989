#!/usr/bin/env bash
# ldapts 8.2.0: the groups of a person are an array, a text or nothing, by how many there are.
#
# Behaviour: memberOf of two groups is an array, of one group a text, of none an empty array, and
# that under the name as it was asked for: with attributes ["memberof"], people with groups have
# entry.memberOf (the server's spelling), and people without have entry.memberof.
# Consequence: `entry.memberOf.includes(dn)` is a comparison of whole names for people of several
# groups, and a search in the text for people of one. Wrap it: [entry.memberOf ?? []].flat().
# Output: the entries as JSON, then what includes() says of a group that no one is in
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ldapts@8.2.0 ldapjs@3.0.7 >/dev/null 2>&1
cat >run.mjs <<'JS'
import ldap from 'ldapjs';
import { Client } from 'ldapts';

const PEOPLE = { ada: ['cn=sales-leads', 'cn=staff'], eve: ['cn=sales-leads'], bob: undefined };
const server = ldap.createServer();
server.bind('cn=app', (_, response) => response.end());
server.search('dc=example', (_, response) => {
  response.attributes = []; // as servers do, it answers in the spelling of the schema
  for (const [uid, memberOf] of Object.entries(PEOPLE))
    response.send({ dn: `uid=${uid},dc=example`, attributes: { uid, ...(memberOf && { memberOf }) } });
  response.end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new Client({ url: `ldap://127.0.0.1:${server.address().port}` });
await client.bind('cn=app', 'secret');
const options = { scope: 'sub', attributes: ['uid', 'memberof'] };
const { searchEntries: entries } = await client.search('dc=example', options);
await client.unbind();
server.close();
const lines = entries.map(({ dn: _, ...attributes }) => JSON.stringify(attributes));
for (const { uid, memberOf } of entries.slice(0, 2)) lines.push(`${uid} in cn=sales: ${memberOf.includes('cn=sales')}`);
console.log(lines.join('\n'));
const expected = [
  '{"uid":"ada","memberOf":["cn=sales-leads","cn=staff"]}',
  '{"uid":"eve","memberOf":"cn=sales-leads"}',
  '{"uid":"bob","memberof":[]}',
  'ada in cn=sales: false',
  'eve in cn=sales: true',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

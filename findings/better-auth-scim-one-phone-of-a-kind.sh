#!/usr/bin/env bash
# @better-auth/scim 1.7.5: a person with two mobile numbers, or without a title, cannot be provisioned.
#
# Behaviour: a User is refused with 400 if two of its numbers or addresses have one type, which RFC 7643
# does not forbid, and if an attribute is null or "", by which directories say that it has no value
# (null is unassigned: section 2.5). A User with a schema of an extension that it does not know is refused too.
# An attribute that it does not store, such as nickName, is ignored in POST; in PATCH it refuses
# the whole request, with all its other operations.
# Consequence: the person is missing in the app, or keeps an old name there, until an administrator changes what
# the directory sends for all people.
# Output: the answers, by what is sent
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps @better-auth/scim@1.7.5 better-auth@1.7.5 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { scim } from '@better-auth/scim';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { getAuthTables } from 'better-auth/db';

const token = 't'.repeat(64);
const plugins = [scim({ connections: [{ id: 'acme', credentials: [{ type: 'bearer', id: 'one', token }] }] })];
const tables = Object.values(getAuthTables({ plugins })).map(({ modelName }) => [modelName, []]);
const auth = betterAuth({
  baseURL: 'http://localhost:3000',
  secret: 'a-secret-of-the-cookie-of-32-letters',
  database: memoryAdapter(Object.fromEntries(tables)),
  logger: { disabled: true },
  plugins,
});
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
async function send(method, path, content) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' };
  const address = `http://localhost:3000/api/auth/scim/v2${path}`;
  const response = await auth.handler(new Request(address, { method, headers, body: JSON.stringify(content) }));
  return { status: response.status, body: await response.json() };
}
let people = 0;
const user = (more) => {
  const userName = `ada${++people}@example.com`;
  const emails = [{ value: userName, type: 'work', primary: true }];
  return { schemas: [USER], userName, emails, name: { givenName: 'Ada', familyName: 'Byron' }, ...more };
};
const cases = {
  plain: {},
  'two mobile numbers': { phoneNumbers: [{ value: '1', type: 'mobile' }, { value: '2', type: 'mobile' }] },
  'title null': { title: null },
  'title ""': { title: '' },
  'another extension': { schemas: [USER, 'urn:acme:badge'], 'urn:acme:badge': { number: '7' } },
  nickName: { nickName: 'Countess' },
};
const lines = [];
for (const [name, more] of Object.entries(cases)) {
  const { status, body } = await send('POST', '/Users', user(more));
  lines.push(`${name}: ${status} ${body.scimType ?? ''}`.trim());
}
const { body } = await send('POST', '/Users', user({}));
for (const value of [{ displayName: 'New' }, { displayName: 'New', nickName: 'Countess' }]) {
  const answer = await send('PATCH', `/Users/${body.id}`, { schemas: [PATCH], Operations: [{ op: 'replace', value }] });
  lines.push(`PATCH of ${Object.keys(value).join(' and ')}: ${answer.status} ${answer.body.scimType ?? ''}`.trim());
}
console.log(lines.join('\n'));
const expected = [
  'plain: 201',
  'two mobile numbers: 400 invalidValue',
  'title null: 400 invalidValue',
  'title "": 400 invalidValue',
  'another extension: 400 invalidValue',
  'nickName: 201',
  'PATCH of displayName: 200',
  'PATCH of displayName and nickName: 400 invalidPath',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

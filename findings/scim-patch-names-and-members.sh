#!/usr/bin/env bash
# scim-patch 0.8.3: attribute names differ by case, and a member with a name is another member.
#
# Behaviour: "replace" of "displayname" leaves displayName and stores a second attribute; "remove" of
# "MEMBERS" removes nothing, without an error. Names are case-insensitive (RFC 7643, section 2.1).
# "add" of {value, display}, where {value} is a member, makes a second element of this value,
# where the same {value} is not added again.
# Consequence: a client that capitalizes names changes nothing and is told 200; an Okta that sends
# "display" with a member makes groups with members twice.
# Output: displayname: displayName g and displayname z, MEMBERS: a b, {a}: a b, {a, display}: a b a
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts scim-patch@0.8.3 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { scimPatch } = require('scim-patch');
const patched = (operation) =>
  scimPatch(
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'g',
      members: [{ value: 'a' }, { value: 'b' }],
      meta: { resourceType: 'Group', created: new Date(0), lastModified: new Date(0) },
    },
    [operation],
  );
const membersAfter = (operation) => patched(operation).members.map(({ value }) => value).join(' ');
const renamed = patched({ op: 'replace', path: 'displayname', value: 'z' });
const found = [
  `displayname: displayName ${renamed.displayName} and displayname ${renamed.displayname}`,
  `MEMBERS: ${membersAfter({ op: 'remove', path: 'MEMBERS' })}`,
  `{a}: ${membersAfter({ op: 'add', path: 'members', value: [{ value: 'a' }] })}`,
  `{a, display}: ${membersAfter({ op: 'add', path: 'members', value: [{ value: 'a', display: 'A' }] })}`,
].join(', ');
console.log(found);
const wanted = 'displayname: displayName g and displayname z, MEMBERS: a b, {a}: a b, {a, display}: a b a';
process.exit(found === wanted ? 0 : 1);
JS
node run.cjs

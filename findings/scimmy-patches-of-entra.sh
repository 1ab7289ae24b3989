#!/usr/bin/env bash
# scimmy 1.3.5: two patches that Entra ID sends are refused, among them that a person has left.
#
# Behaviour: PatchOp takes {"op": "Replace", "path": "active", "value": "False"}, as Entra ID writes it
# without its flag for conformance, as "expected value type 'boolean' but found type 'string'", and
# "add" at 'emails[type eq "home"].value', where there is no such address yet, as "noTarget". The
# capital of "Replace" is accepted, and so are names with a dot in a value without a path.
# Consequence: at a service on it, people who left keep their accounts until someone reads the log of
# the provisioning, and a second address never arrives. Turn the texts into booleans before PatchOp.
# Output: true/false accepted, "False" refused, add to a value that there is accepted, to none refused
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts scimmy@1.3.5 >/dev/null 2>&1
cat >run.mjs <<'JS'
import SCIMMY from 'scimmy';

const { User } = SCIMMY.Schemas;
const PATCHES = {
  'boolean': { op: 'Replace', path: 'active', value: false },
  'text': { op: 'Replace', path: 'active', value: 'False' },
  'names with a dot': { op: 'Add', value: { 'name.familyName': 'Lovelace' } },
  'work address': { op: 'Add', path: 'emails[type eq "work"].value', value: 'a@example.com' },
  'home address': { op: 'Add', path: 'emails[type eq "home"].value', value: 'a@example.org' },
};
const found = [];
for (const [name, operation] of Object.entries(PATCHES)) {
  const ada = new User({ id: '1', userName: 'ada', active: true, emails: [{ type: 'work', value: 'ada@example.com' }] }, 'out');
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const outcome = await Promise.resolve()
    .then(() => new SCIMMY.Messages.PatchOp({ schemas, Operations: [operation] }).apply(ada))
    .then(() => 'accepted', ({ scimType }) => scimType);
  found.push(`${name} ${outcome}`);
}
console.log(found.join(', '));
const wanted = ['boolean accepted', 'text invalidValue', 'names with a dot accepted', 'work address accepted', 'home address noTarget'];
process.exit(found.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs

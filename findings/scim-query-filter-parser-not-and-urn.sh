#!/usr/bin/env bash
# scim-query-filter-parser 2.0.4: examples of RFC 7644 do not parse, and ne is no opposite of eq.
#
# Behaviour: compileFilter throws for 'not (title pr)', a form of the examples of section 3.4.2.2, for
# an attribute with the URN of its schema (section 3.10), and for 'emails[type eq "work"].value pr',
# which Entra ID sends. 'title ne "Driver"' leaves out resources without a title, so that eq and ne
# together do not find everyone; 'title eq null' finds none of them.
# Consequence: a service that filters in memory by it answers 400 to Entra ID, and its lists of people
# "who are not ..." lack those that have no value.
# Output: eq 1, ne none, eq null none, not throws, urn throws, value path throws
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts scim-query-filter-parser@2.0.4 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { compileFilter } = require('scim-query-filter-parser');
const users = [{ id: 1, title: 'Driver' }, { id: 2 }];
const FILTERS = {
  'eq': 'title eq "Driver"',
  'ne': 'title ne "Driver"',
  'eq null': 'title eq null',
  'not': 'not (title pr)',
  'urn': 'urn:ietf:params:scim:schemas:core:2.0:User:title eq "Driver"',
  'value path': 'emails[type eq "work"].value pr',
};
const found = Object.entries(FILTERS).map(([name, filter]) => {
  try {
    return `${name} ${users.filter(compileFilter(filter)).map(({ id }) => id).join(' ') || 'none'}`;
  } catch {
    return `${name} throws`;
  }
});
console.log(found.join(', '));
process.exit(found.join(', ') === 'eq 1, ne none, eq null none, not throws, urn throws, value path throws' ? 0 : 1);
JS
node run.cjs

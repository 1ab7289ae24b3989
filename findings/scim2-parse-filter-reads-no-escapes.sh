#!/usr/bin/env bash
# scim2-parse-filter 0.2.10, also in scim-patch 0.8.3: of the escapes of JSON it reads \" only.
#
# Behaviour: a value in a filter is written as JSON (RFC 7644, section 3.4.2.2). The parser doubles each
# backslash that has no quote behind it, and then parses: \u00eb, \/ and \\ stay as they are written,
# and a value whose last letter is a backslash throws. stringify() of the same package writes JSON, and
# its parser does not read that back.
# Consequence: json.dumps of Python and json_encode of PHP write Zoë as Zo\u00eb, and PHP each slash as
# \/: such a directory finds no Zoë before it creates her, and makes her a second time; a group R/D and a
# user EXAMPLE\ada are never found. scim-patch makes a second address in place of changing the first.
# Output: for each value, as JSON has it, what the filter finds of people who have exactly this value
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts scim2-parse-filter@0.2.10 scim-patch@0.8.3 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { filter, parse, stringify } = require('scim2-parse-filter');
const { scimPatch } = require('scim-patch');

const tell = (call) => {
  try {
    return call();
  } catch ({ name, message, scimCode }) {
    return scimCode ?? (message.endsWith('is not json') ? 'is not json' : name);
  }
};
const found = (json) => tell(() => (filter(parse(`displayName eq ${json}`))({ displayName: JSON.parse(json) }) ? 'found' : 'not found'));
function patched(json) {
  const name = JSON.parse(json);
  const user = {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    meta: { resourceType: 'User', created: new Date(0), lastModified: new Date(0) },
    addresses: [{ locality: name }],
  };
  const path = `addresses[locality eq ${json}].region`;
  return scimPatch(user, [{ op: 'replace', path, value: 'north' }])
    .addresses.map(({ locality, region }) => `${locality} ${region ?? 'unchanged'}`)
    .join(', ');
}
const VALUES = ['"Zoë"', '"Zo\\u00eb"', '"R/D"', '"R\\/D"', '"EXAMPLE\\\\ada"', '"shared\\\\"', '"the \\"old\\" one"'];
const lines = VALUES.map((json) => `${json}: ${found(json)}, patched: ${tell(() => patched(json))}`);
const text = stringify({ op: 'eq', attrPath: 'userName', compValue: 'EXAMPLE\\ada' });
lines.push(`${text}: ${parse(text).compValue}`);
console.log(lines.join('\n'));
const expected = [
  '"Zoë": found, patched: Zoë north',
  '"Zo\\u00eb": not found, patched: Zoë unchanged, Zo\\u00eb north',
  '"R/D": found, patched: R/D north',
  '"R\\/D": not found, patched: R/D unchanged, R\\/D north',
  '"EXAMPLE\\\\ada": not found, patched: EXAMPLE\\ada unchanged, EXAMPLE\\\\ada north',
  '"shared\\\\": is not json, patched: invalidSyntax',
  '"the \\"old\\" one": found, patched: the "old" one north',
  'userName eq "EXAMPLE\\\\ada": EXAMPLE\\\\ada',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs

#!/usr/bin/env bash
# scimmy 1.3.5: a filter finds no name with a quote, and userName in its exact spelling only.
#
# Behaviour: Filter parses text values to the first quote, so that an escaped one (RFC 7644 section
# 3.4.2.2: values are JSON) is "Unexpected token". match() compares userName by case, which is not
# caseExact (RFC 7643 section 4.1.1), and finds nothing for an attribute with the URN of its schema.
# `displayName pr` is true for an empty text.
# Consequence: a directory that looks a person up before it creates them, as Entra ID and Okta do by
# userName, creates "ADA" next to "ada".
# Output: what each filter finds of three people
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts scimmy@1.3.5 >/dev/null 2>&1
cat >run.mjs <<'JS'
import SCIMMY from 'scimmy';

const PEOPLE = [
  { id: 'ada', userName: 'ada', displayName: 'Ada' },
  { id: 'bob', userName: 'bob', displayName: 'Robert "Bob" Stone' },
  { id: 'eve', userName: 'eve', displayName: '' },
];
const FILTERS = {
  'userName eq "ada"': 'ada',
  'userName eq "ADA"': 'no one',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada"': 'no one',
  'displayName eq "Robert \\"Bob\\" Stone"': 'refused',
  'displayName pr': 'ada bob eve',
};
const find = (filter) => {
  try {
    return new SCIMMY.Types.Filter(filter).match(PEOPLE).map(({ id }) => id).join(' ') || 'no one';
  } catch (error) {
    return /Unexpected token/.test(error.message) ? 'refused' : String(error);
  }
};
let code = 0;
for (const [filter, expected] of Object.entries(FILTERS)) {
  console.log(`${filter}: ${find(filter)}`);
  if (find(filter) !== expected) code = 1;
}
process.exit(code);
JS
timeout 60 node run.mjs

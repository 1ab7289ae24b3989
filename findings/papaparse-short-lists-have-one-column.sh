#!/usr/bin/env bash
# papaparse 5.7.1: a list of a few people with two columns and semicolons is read as one column.
#
# Behaviour: the delimiter is guessed from the first ten lines, and needs 1.99 fields in each on average. The
# line end after the last row counts as a line with one field, so that two columns by semicolon or tab
# are not recognized where it is among the ten: the comma is taken, and the header "name;mail" is the name
# of one field. data is filled; errors has UndetectableDelimiter. From nine people on, without the last
# line end, or with skipEmptyLines, the same list is read right.
# Consequence: spreadsheets of countries with a decimal comma save lists with semicolons. The long list of
# an import works, and the one with the three people who have joined since has no mail column.
# Output: fields of the first row and errors, by the number of people
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts papaparse@5.7.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { parse } = require('papaparse');
const lineOf = (sign, people, end, options) => {
  const rows = Array.from({ length: people }, (_, n) => `Ada ${n}${sign}ada${n}@example.com`);
  const { data, errors } = parse([`name${sign}mail`, ...rows].join('\n') + end, { header: true, ...options });
  return `${Object.keys(data[0]).join(' and ')}, ${errors[0]?.code ?? 'no error'}`;
};
const lines = [
  `comma, 3 people: ${lineOf(',', 3, '\n')}`,
  `semicolon, 3 people: ${lineOf(';', 3, '\n')}`,
  `semicolon, 8 people: ${lineOf(';', 8, '\n')}`,
  `semicolon, 9 people: ${lineOf(';', 9, '\n')}`,
  `semicolon, 3 people, no last line end: ${lineOf(';', 3, '')}`,
  `semicolon, 3 people, skipEmptyLines: ${lineOf(';', 3, '\n', { skipEmptyLines: true })}`,
];
console.log(lines.join('\n'));
const expected = [
  'comma, 3 people: name and mail, UndetectableDelimiter',
  'semicolon, 3 people: name;mail, UndetectableDelimiter',
  'semicolon, 8 people: name;mail, UndetectableDelimiter',
  'semicolon, 9 people: name and mail, TooFewFields',
  'semicolon, 3 people, no last line end: name and mail, no error',
  'semicolon, 3 people, skipEmptyLines: name and mail, no error',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.cjs

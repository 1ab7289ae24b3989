#!/usr/bin/env bash
# mailparser 3.14.2: the date of a mail is the time of parsing, if the header cannot be read.
#
# Behaviour: without a header Date, `date` is undefined. With one that `new Date()` cannot read, it is
# the current time, and nothing tells it from a real one; dates with comments between the numbers, an
# example of RFC 5322 (appendix A.6.3), and with military zones (section 4.3) are such. A day that
# does not exist (31 February) moves to another one.
# Consequence: software that reads codes or replies from a mailbox takes an old mail for the newest
# one, each time that it reads it, and the same mail has two dates in two runs.
# Output: for each header, the date, or whether it is the time of parsing
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mailparser@3.14.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { simpleParser } from 'mailparser';

const HEADERS = {
  'no header': [],
  'a usual one': ['Date: Mon, 30 Nov 2020 10:00:00 +0100'],
  'the example of RFC 5322': ['Date: Fri, 21 Nov 1997 09(comment):   55  :  06 -0600'],
  'a military zone': ['Date: Mon, 30 Nov 2020 10:00:00 A'],
  '31 February': ['Date: Wed, 31 Feb 2021 10:00:00 +0000'],
};
const lines = [];
for (const [name, headers] of Object.entries(HEADERS)) {
  const before = Date.now();
  const mail = ['From: id@shop.example', ...headers, 'Subject: Your code', '', '123456'].join('\r\n');
  const { date } = await simpleParser(mail);
  const isNow = date >= before && date <= Date.now();
  lines.push(`${name}: ${isNow ? 'the time of parsing' : date?.toISOString()}`);
}
console.log(lines.join('\n'));
const expected = [
  'no header: undefined',
  'a usual one: 2020-11-30T09:00:00.000Z',
  'the example of RFC 5322: the time of parsing',
  'a military zone: the time of parsing',
  '31 February: 2021-03-03T10:00:00.000Z',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

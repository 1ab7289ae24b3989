#!/usr/bin/env bash
# mailcheck 1.1.1: people with a correct address at acme.com or acme.io are told to use another domain.
#
# Behaviour: a domain that is near one of its list is taken for a slip: acme.com becomes me.com. Its list
# of endings knows no .io, .dev, .app, .tech, .ro, .sk or .com.pl: acme.io becomes acme.it, acme.dev
# acme.de. Mail providers that it does not list become others: proton.me is proton.de, gov.uk gmx.us.
# Consequence: a person with a correct address is asked "Did you mean …?"; the mails of a person who
# accepts, with the links that reset passwords, go to a domain of other people. Give it your lists, or
# ask only about known slips.
# Output: the suggestions for correct addresses, and for one with a slip
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts mailcheck@1.1.1 >/dev/null 2>&1
cat >run.cjs <<'JS'
const mailcheck = require('mailcheck');
const expected = {
  'gmial.com': 'gmail.com',
  'acme.com': 'me.com',
  'acme.io': 'acme.it',
  'acme.dev': 'acme.de',
  'acme.app': 'acme.jp',
  'acme.tech': 'acme.de',
  'acme.ro': 'acme.ru',
  'acme.sk': 'acme.se',
  'acme.com.pl': 'acme.com',
  'proton.me': 'proton.de',
  'fastmail.fm': 'fastmail.fr',
  'gov.uk': 'gmx.us',
};
const lines = Object.keys(expected).map((domain) => {
  const suggestion = mailcheck.run({ email: `ada@${domain}` });
  return `${domain}: ${suggestion ? suggestion.domain : 'none'}`;
});
console.log(lines.join('\n'));
const wanted = Object.entries(expected).map(([domain, other]) => `${domain}: ${other}`);
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.cjs

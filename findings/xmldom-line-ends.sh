#!/usr/bin/env bash
# @xmldom/xmldom 0.8.15 and 0.9.12: line ends of XML 1.1 in documents of XML 1.0.
#
# Behaviour: text with U+0085 (next line) or U+2028 (line separator) is parsed to a line feed, in
# documents without a declaration and with version 1.0. XML 1.0 (fifth edition, section 2.11)
# normalizes CR and CR LF only; the two characters are line ends of XML 1.1 (section 2.11).
# Consequence: a signature over such a text, made by any other XML library, does not verify with
# xml-crypto and what builds on it (SAML): the digest is of a line feed. A display name pasted from
# a document is enough. Written as character references (&#x85; &#x2028;), the characters stay.
# Output, for both versions: U+0085 000a, U+2028 000a, &#x85; 0085, &#x2028; 2028
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  old@npm:@xmldom/xmldom@0.8.15 new@npm:@xmldom/xmldom@0.9.12 >/dev/null 2>&1
cat >run.cjs <<'JS'
const CASES = { 'U+0085': '\u0085', 'U+2028': '\u2028', '&#x85;': '&#x85;', '&#x2028;': '&#x2028;' };
const WANTED = 'U+0085 000a, U+2028 000a, &#x85; 0085, &#x2028; 2028';
let isSame = true;
for (const name of ['old', 'new']) {
  const { DOMParser } = require(name);
  const found = Object.entries(CASES).map(([what, text]) => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?><name>${text}</name>`;
    const { textContent } = new DOMParser().parseFromString(xml, 'text/xml').documentElement;
    return `${what} ${textContent.codePointAt(0).toString(16).padStart(4, '0')}`;
  });
  console.log(require(`${name}/package.json`).version, found.join(', '));
  isSame &&= found.join(', ') === WANTED;
}
process.exit(isSame ? 0 : 1);
JS
node run.cjs

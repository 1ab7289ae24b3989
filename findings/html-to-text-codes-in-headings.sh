#!/usr/bin/env bash
# html-to-text 10.0.1, and by it @react-email/render 2.3.1 and nodemailer-html-to-text 3.2.0: a code in a
# heading is another code in the text part of a mail.
#
# Behaviour: <h1> to <h6> are written in capital letters, and so is <th>, where tables are laid out
# (`uppercase`, on unless each selector is told otherwise). render() with plainText: true of React Email
# does so to <Heading>, and the plugin of nodemailer to each mail without a text.
# Consequence: people whose mail program shows the text part type KQ7W-XB3A where kQ7w-Xb3a was sent, and
# a code or temporary password that has a case is refused; in the HTML part, which developers look at, it
# is right. Put it into <p>, or set uppercase: false.
# Output: by library and element, the code in the text
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts html-to-text@10.0.1 @react-email/render@2.3.1 \
  nodemailer@10.6.1 nodemailer-html-to-text@3.2.0 react@19.2.0 react-dom@19.2.0 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { render } from '@react-email/render';
import { convert } from 'html-to-text';
import { createTransport } from 'nodemailer';
import { htmlToText } from 'nodemailer-html-to-text';
import { createElement } from 'react';

const CODE = 'kQ7w-Xb3a';
const mails = createTransport({ jsonTransport: true });
mails.use('compile', htmlToText());
async function sent(html) {
  const { message } = await mails.sendMail({ from: 'login@example.com', to: 'ada@example.com', subject: 'Code', html });
  return JSON.parse(message).text;
}
const lines = [];
for (const tag of ['h1', 'h3', 'p']) {
  const html = `<${tag}>${CODE}</${tag}>`;
  const text = await render(createElement(tag, null, CODE), { plainText: true });
  lines.push(`<${tag}>: html-to-text ${convert(html)}, React Email ${text}, nodemailer ${await sent(html)}`);
}
const table = `<table><tr><th>${CODE}</th></tr></table>`;
lines.push(`<th>: as a table ${convert(table, { selectors: [{ selector: 'table', format: 'dataTable' }] })}`);
const plain = { selectors: [{ selector: 'h1', options: { uppercase: false } }] };
lines.push(`<h1> with uppercase false: ${convert(`<h1>${CODE}</h1>`, plain)}`);
console.log(lines.join('\n'));
const expected = [
  '<h1>: html-to-text KQ7W-XB3A, React Email KQ7W-XB3A, nodemailer KQ7W-XB3A',
  '<h3>: html-to-text KQ7W-XB3A, React Email KQ7W-XB3A, nodemailer KQ7W-XB3A',
  '<p>: html-to-text kQ7w-Xb3a, React Email kQ7w-Xb3a, nodemailer kQ7w-Xb3a',
  '<th>: as a table KQ7W-XB3A',
  '<h1> with uppercase false: kQ7w-Xb3a',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

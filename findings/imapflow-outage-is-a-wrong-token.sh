#!/usr/bin/env bash
# imapflow 2.10.2: an outage of the sign-in looks like a token that was refused.
#
# Behaviour: connect() sets `authenticationFailed` on the error for each NO to AUTHENTICATE, whatever
# its response code: AUTHENTICATIONFAILED, but UNAVAILABLE (a part of the server is down for a while,
# RFC 5530 section 3) and LIMIT (RFC 9051, section 7.1) as well. The message is "Command failed" for
# all. The code is in `serverResponseCode`, and the reason of a refused token in `oauthError`.
# Consequence: software that forgets a refresh token, or asks the person to connect the mailbox again,
# when `authenticationFailed` is set, does so for all mailboxes in the minute in which the identity
# provider does not answer the mail server.
# Output: what the error says for each answer of a server
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts imapflow@2.10.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { ImapFlow } from 'imapflow';

const CAPABILITY = 'CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2';
const REASON = Buffer.from('{"status":"401"}').toString('base64');
/** What the server sends to AUTHENTICATE, and then to the empty line of the client. */
const ANSWERS = {
  refused: [`+ ${REASON}`, 'NO [AUTHENTICATIONFAILED] Authentication failed.'],
  outage: ['NO [UNAVAILABLE] Temporary authentication failure.'],
  'too many': ['NO [LIMIT] Too many connections.'],
};
const lines = [];
for (const [name, answers] of Object.entries(ANSWERS)) {
  const server = createServer(async (socket) => {
    const send = (line) => socket.write(`${line}\r\n`);
    send(`* OK [${CAPABILITY}] ready`);
    const waiting = [...answers];
    let tag = '';
    for await (const line of createInterface({ input: socket })) {
      const [first, command] = line.split(' ');
      if (command === 'LOGOUT') return socket.end(`* BYE\r\n${first} OK\r\n`);
      if (command === 'AUTHENTICATE') tag = first;
      const answer = waiting.shift() ?? 'BAD';
      send(answer.startsWith('+') ? answer : `${tag} ${answer}`);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: server.address().port,
    secure: false,
    disableAutoIdle: true,
    clientInfo: false,
    auth: { user: 'ada@example.com', accessToken: 'token' },
    logger: false,
  });
  client.on('error', () => undefined);
  const error = await client.connect().catch((reason) => reason);
  const { message, authenticationFailed, serverResponseCode, oauthError } = error;
  lines.push(`${name}: ${message}, ${authenticationFailed}, ${serverResponseCode}, ${oauthError?.status}`);
  server.close();
}
console.log(lines.join('\n'));
const wanted = [
  'refused: Command failed, true, AUTHENTICATIONFAILED, 401',
  'outage: Command failed, true, UNAVAILABLE, undefined',
  'too many: Command failed, true, LIMIT, undefined',
];
process.exit(lines.join() === wanted.join() ? 0 : 1);
JS
timeout 60 node run.mjs

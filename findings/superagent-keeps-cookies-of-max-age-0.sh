#!/usr/bin/env bash
# superagent 10.4.2 of supertest 7.3.2 (cookiejar 2.1.4): an agent sends cookies whose Max-Age has ended.
#
# Behaviour: the jar of request.agent() reads Expires and knows no Max-Age, which takes precedence where
# both are set (RFC 6265, section 4.1.2.2): a cookie of Max-Age=0 stays, with the value that it came with,
# and one of a second lasts as long as the agent. A cookie of Path=/auth is sent to /authorize too, which
# is not below it (section 5.1.4). tough-cookie 6.1.0 does as browsers do.
# Consequence: tests of a sign-out by Max-Age=0 see the person signed in still, or, as the value is
# empty, another refusal than a browser gets, which sends no cookie; whether a session ends in time, or a
# cookie reaches only its own path, no such test shows. Send Expires as well.
# Output: per Set-Cookie, what the agent and tough-cookie send to /authorize afterwards
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts supertest@7.3.2 superagent@10.4.2 tough-cookie@6.1.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const { agent } = require('supertest');
const { CookieJar } = require('tough-cookie');

const PAST = 'Thu, 01 Jan 1970 00:00:00 GMT';
const CASES = [
  ['Path=/; Max-Age=3600', 'Path=/; Max-Age=0'],
  ['Path=/; Max-Age=3600', `Path=/; Expires=${PAST}`],
  ['Path=/', `Path=/; Max-Age=3600; Expires=${PAST}`],
  ['Path=/auth'],
  ['Path=/authorize'],
];
async function outcome(attributes) {
  const left = attributes.map((text, index) => `session=${index === 0 ? 'ada' : ''}; ${text}`);
  const server = createServer((request, response) => {
    if (request.url === '/auth/set') response.setHeader('set-cookie', left.shift());
    response.end(request.headers.cookie ?? 'no cookie');
  });
  const person = agent(server);
  const jar = new CookieJar();
  const address = 'http://127.0.0.1';
  for (const text of [...left]) {
    jar.setCookieSync(text, `${address}/auth/set`);
    await person.get('/auth/set');
  }
  const { text } = await person.get('/authorize');
  return `${attributes.at(-1)}: ${text}; tough-cookie ${jar.getCookieStringSync(`${address}/authorize`) || 'no cookie'}`;
}
async function main() {
  const lines = [];
  for (const attributes of CASES) lines.push(await outcome(attributes));
  console.log(lines.join('\n'));
  const expected = [
    'Path=/; Max-Age=0: session=; tough-cookie no cookie',
    `Path=/; Expires=${PAST}: no cookie; tough-cookie no cookie`,
    `Path=/; Max-Age=3600; Expires=${PAST}: no cookie; tough-cookie session=`,
    'Path=/auth: session=ada; tough-cookie no cookie',
    'Path=/authorize: session=ada; tough-cookie session=ada',
  ];
  process.exit(lines.join() === expected.join() ? 0 : 1);
}
main();
JS
timeout 60 node run.cjs

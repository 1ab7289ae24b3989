#!/usr/bin/env bash
# grant 5.4.24: a profile that cannot be had is no error of the sign-in, and is asked for without a token.
#
# Behaviour: with `response: ['tokens', 'profile']`, the profile is asked for after each token request,
# also after a refused one, then with "Authorization: Bearer undefined". If that request fails, the
# callback gets the tokens, no `error`, and a profile that is {"error": {}}; by the transport
# "querystring" it gets the tokens only.
# Consequence: a callback that looks at `error`, as after a refusal, goes on with a person whose
# identifier is undefined; a provider sees requests with a token "undefined".
# Output: per case what the callback gets, and with which token the profile was asked for
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts grant@5.4.24 express@5.3.0 express-session@1.19.0 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { createServer } = require('node:http');
const express = require('express');
const session = require('express-session');
const grant = require('grant').express();

const TOKEN = [200, { access_token: 'a', token_type: 'Bearer' }];
const CASES = {
  'all is well': { token: TOKEN, profile: [200, { sub: 'ada' }] },
  'profile 503': { token: TOKEN, profile: [503, {}] },
  'token refused': { token: [400, { error: 'invalid_grant' }], profile: [401, {}] },
};
const WANTED = [
  'all is well: {"access_token":"a","profile":{"sub":"ada"}}; Bearer a',
  'profile 503: {"access_token":"a","profile":{"error":{}}}; Bearer a',
  'token refused: {"error":{"error":"invalid_grant"},"profile":{"error":{}}}; Bearer undefined',
];
let [current, bearer] = [];
const provider = createServer((request, response) => {
  const isToken = request.url.startsWith('/token');
  if (!isToken) bearer = request.headers.authorization;
  const [status, body] = isToken ? current.token : current.profile;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
provider.listen(0, '127.0.0.1', async () => {
  const at = `http://127.0.0.1:${provider.address().port}`;
  const app = express();
  app.use(session({ secret: 's', resave: false, saveUninitialized: false }));
  app.use(
    grant({
      defaults: { origin: 'http://localhost', transport: 'session', state: true },
      op: {
        oauth: 2,
        authorize_url: `${at}/authorize`,
        access_url: `${at}/token`,
        profile_url: `${at}/userinfo`,
        key: 'app',
        secret: 's',
        callback: '/done',
        response: ['tokens', 'profile'],
      },
    }),
  );
  app.get('/done', (request, response) => response.json(request.session.grant.response ?? {}));
  const server = app.listen(0);
  const site = `http://127.0.0.1:${server.address().port}`;
  const lines = [];
  for (const [name, answers] of Object.entries(CASES)) {
    [current, bearer] = [answers, 'none'];
    const begun = await fetch(`${site}/connect/op`, { redirect: 'manual' });
    const headers = { cookie: begun.headers.get('set-cookie').split(';')[0] };
    const state = new URL(begun.headers.get('location')).searchParams.get('state');
    await fetch(`${site}/connect/op/callback?code=c&state=${state}`, { redirect: 'manual', headers });
    const got = await (await fetch(`${site}/done`, { headers })).json();
    lines.push(`${name}: ${JSON.stringify(got)}; ${bearer}`);
  }
  console.log(lines.join('\n'));
  process.exit(lines.join() === WANTED.join() ? 0 : 1);
});
JS
timeout 60 node run.cjs

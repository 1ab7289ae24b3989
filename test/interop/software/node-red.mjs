import { createServer } from 'node:http';
import express from 'express';
import RED from 'node-red';
import { Strategy } from 'passport-openidconnect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const app = express();
const server = createServer(app);
const users = new Map();
RED.init(server, {
  httpAdminRoot: '/red',
  httpNodeRoot: false,
  userDir: `${import.meta.dirname}/node-red`,
  logging: { console: { level: 'off' } },
  adminAuth: {
    type: 'strategy',
    strategy: {
      name: 'openidconnect',
      label: 'Sign in with Gatehouse',
      strategy: Strategy,
      options: {
        issuer: ISSUER,
        authorizationURL: `${ISSUER}/oauth2/authorize`,
        tokenURL: `${ISSUER}/oauth2/token`,
        userInfoURL: `${ISSUER}/oauth2/userinfo`,
        clientID: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        callbackURL: `${SITE}/red/auth/strategy/callback`,
        scope: ['profile', 'email'],
        nonce: true,
        verify: (_, profile, done) => {
          users.set(profile.id, { username: profile.id, permissions: '*' });
          done(null, users.get(profile.id));
        },
      },
    },
    users: async (name) => users.get(name) ?? null,
  },
});
// The editor redeems the code in its address as it is, which is not encoded.
let code;
app.use('/red', ({ originalUrl }, _, next) => {
  code = /^\/red\/?\?code=(.*)$/.exec(originalUrl)?.[1] ?? code;
  next();
});
app.use('/red', RED.httpAdmin);
app.get('/login', (_, response) => response.redirect('/red/auth/strategy'));
app.get('/me', async (_, response) => {
  const body = new URLSearchParams({ code });
  const redeemed = await fetch(`${SITE}/red/auth/token`, { method: 'POST', body });
  const { accessToken } = await redeemed.json();
  const headers = { authorization: `Bearer ${accessToken}` };
  const { user } = await (await fetch(`${SITE}/red/settings`, { headers })).json();
  response.json({ sub: user.username });
});
server.listen(PORT);
await RED.start();

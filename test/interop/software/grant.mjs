import express from 'express';
import session from 'express-session';
import grant from 'grant';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const app = express();
app.use(session({ secret: 'of the cookie', resave: false, saveUninitialized: true }));
app.use(
  grant.express({
    defaults: { origin: SITE, transport: 'session', state: true },
    gatehouse: {
      oauth: 2,
      authorize_url: `${ISSUER}/oauth2/authorize`,
      access_url: `${ISSUER}/oauth2/token`,
      profile_url: `${ISSUER}/oauth2/userinfo`,
      key: CLIENT_ID,
      secret: CLIENT_SECRET,
      scope: ['openid', 'profile', 'email'],
      scope_delimiter: ' ',
      pkce: true,
      nonce: true,
      response: ['tokens', 'profile'],
      callback: '/me',
    },
  }),
);
app.get('/login', (_, response) => response.redirect('/connect/gatehouse'));
app.get('/me', (request, response) =>
  response.json(request.session.grant?.response?.profile ?? request.session.grant?.response ?? {}),
);
app.listen(PORT);

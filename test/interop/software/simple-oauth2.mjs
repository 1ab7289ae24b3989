import express from 'express';
import { AuthorizationCode } from 'simple-oauth2';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const client = new AuthorizationCode({
  client: { id: CLIENT_ID, secret: CLIENT_SECRET },
  auth: {
    tokenHost: ISSUER,
    tokenPath: '/oauth2/token',
    authorizePath: '/oauth2/authorize',
    revokePath: '/oauth2/revoke',
  },
});
const redirect_uri = `${SITE}/callback`;
const scope = 'openid profile email';
let token;
const app = express();
app.get('/login', (_, response) =>
  response.redirect(client.authorizeURL({ redirect_uri, scope, state: 'a-state', nonce: 'a-nonce' })),
);
app.get('/callback', async ({ query }, response) => {
  token = await client.getToken({ code: query.code, redirect_uri });
  response.redirect('/me');
});
app.get('/me', async (_, response) => {
  const headers = { authorization: `Bearer ${token.token.access_token}` };
  response.json(await (await fetch(`${ISSUER}/oauth2/userinfo`, { headers })).json());
});
app.get('/refresh', async (_, response) => {
  const renewed = await token.refresh();
  response.json({ refreshed: renewed.token.access_token !== token.token.access_token });
});
app.listen(PORT);

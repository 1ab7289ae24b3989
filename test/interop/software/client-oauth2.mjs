import ClientOAuth2 from 'client-oauth2';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const client = new ClientOAuth2({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  accessTokenUri: `${ISSUER}/oauth2/token`,
  authorizationUri: `${ISSUER}/oauth2/authorize`,
  redirectUri: `${SITE}/callback`,
  scopes: ['openid', 'profile', 'email'],
  state: 'a-state',
  query: { nonce: 'a-nonce' },
});
let token;
const app = express();
// Its option `query` is for each request, the token's too: the nonce is only for this one.
app.get('/login', (_, response) => response.redirect(client.code.getUri()));
app.get('/callback', async ({ originalUrl }, response) => {
  token = await client.code.getToken(originalUrl, { query: {} });
  response.redirect('/me');
});
app.get('/me', async (_, response) => {
  const headers = { authorization: `Bearer ${token.accessToken}` };
  response.json(await (await fetch(`${ISSUER}/oauth2/userinfo`, { headers })).json());
});
app.get('/refresh', async (_, response) => {
  const before = token.accessToken;
  response.json({ refreshed: (await token.refresh({ query: {} })).accessToken !== before });
});
app.listen(PORT);

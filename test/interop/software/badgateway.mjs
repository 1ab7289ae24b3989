import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const client = new OAuth2Client({
  server: ISSUER,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  discoveryEndpoint: '/.well-known/openid-configuration',
});
const redirectUri = `${SITE}/callback`;
const codeVerifier = await generateCodeVerifier();
let token;
const app = express();
app.get('/login', async (_, response) =>
  response.redirect(
    await client.authorizationCode.getAuthorizeUri({
      redirectUri,
      state: 'a-state',
      codeVerifier,
      scope: ['openid', 'profile', 'email'],
    }),
  ),
);
app.get('/callback', async ({ originalUrl }, response) => {
  token = await client.authorizationCode.getTokenFromCodeRedirect(SITE + originalUrl, {
    redirectUri,
    state: 'a-state',
    codeVerifier,
  });
  response.redirect('/me');
});
app.get('/me', async (_, response) => {
  const headers = { authorization: `Bearer ${token.accessToken}` };
  response.json(await (await fetch(`${ISSUER}/oauth2/userinfo`, { headers })).json());
});
app.get('/refresh', async (_, response) => {
  const renewed = await client.refreshToken(token);
  response.json({ refreshed: renewed.accessToken !== token.accessToken });
});
app.listen(PORT);

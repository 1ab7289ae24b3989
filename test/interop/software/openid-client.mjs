import express from 'express';
import * as client from 'openid-client';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET);
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
let tokens;
const app = express();
app.get('/login', async (_, response) => {
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: `${SITE}/callback`,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  });
  response.redirect(url.href);
});
app.get('/callback', async ({ originalUrl }, response) => {
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  tokens = await client.authorizationCodeGrant(config, new URL(originalUrl, SITE), checks);
  response.redirect('/me');
});
app.get('/me', (_, response) => response.json(tokens.claims()));
app.get('/refresh', async (_, response) => {
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token);
  response.json({ refreshed: renewed.access_token !== tokens.access_token });
});
app.get('/logout', (_, response) => {
  const parameters = { post_logout_redirect_uri: `${SITE}/`, id_token_hint: tokens.id_token };
  response.redirect(client.buildEndSessionUrl(config, parameters).href);
});
app.get('/', (_, response) => response.json({ page: 'home' }));
app.listen(PORT);

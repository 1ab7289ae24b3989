import express from 'express';
import * as oauth from 'oauth4webapi';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const issuer = new URL(ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
const client = { client_id: CLIENT_ID };
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET);
const redirectUri = `${SITE}/callback`;
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const nonce = oauth.generateRandomNonce();
let tokens;
const app = express();
app.get('/login', async (_, response) => {
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
  response.redirect(`${server.authorization_endpoint}?${query}`);
});
app.get('/callback', async ({ originalUrl }, response) => {
  const answer = oauth.validateAuthResponse(server, client, new URL(originalUrl, SITE), state);
  tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(server, client, authentication, answer, redirectUri, verifier),
    { expectedNonce: nonce, requireIdToken: true },
  );
  response.redirect('/me');
});
app.get('/me', (_, response) => response.json(oauth.getValidatedIdTokenClaims(tokens)));
app.get('/refresh', async (_, response) => {
  const request = oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token);
  const renewed = await oauth.processRefreshTokenResponse(server, client, await request);
  response.json({ refreshed: renewed.access_token !== tokens.access_token });
});
app.listen(PORT);

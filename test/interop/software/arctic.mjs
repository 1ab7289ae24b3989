import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
} from 'arctic';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const client = new OAuth2Client(CLIENT_ID, CLIENT_SECRET, `${SITE}/callback`);
const [state, verifier] = [generateState(), generateCodeVerifier()];
let tokens;
const app = express();
app.get('/login', (_, response) => {
  const scopes = ['openid', 'profile', 'email'];
  const url = client.createAuthorizationURLWithPKCE(
    `${ISSUER}/oauth2/authorize`,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );
  response.redirect(url.href);
});
app.get('/callback', async ({ query }, response) => {
  tokens = await client.validateAuthorizationCode(`${ISSUER}/oauth2/token`, query.code, verifier);
  response.redirect('/me');
});
app.get('/me', (_, response) => response.json(decodeIdToken(tokens.idToken())));
app.get('/refresh', async (_, response) => {
  const renewed = await client.refreshAccessToken(`${ISSUER}/oauth2/token`, tokens.refreshToken(), []);
  response.json({ refreshed: renewed.accessToken() !== tokens.accessToken() });
});
app.listen(PORT);

import { ConfidentialClientApplication, CryptoProvider, ProtocolMode } from '@azure/msal-node';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const client = new ConfidentialClientApplication({
  auth: {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    authority: ISSUER,
    knownAuthorities: [new URL(ISSUER).host],
  },
  system: { protocolMode: ProtocolMode.OIDC },
});
const redirectUri = `${SITE}/callback`;
const scopes = ['openid', 'profile', 'email', 'offline_access'];
const { verifier, challenge } = await new CryptoProvider().generatePkceCodes();
let account;
let token;
const app = express();
app.get('/login', async (_, response) =>
  response.redirect(
    await client.getAuthCodeUrl({
      scopes,
      redirectUri,
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
      responseMode: 'query',
    }),
  ),
);
app.get('/callback', async ({ query }, response) => {
  ({ account, accessToken: token } = await client.acquireTokenByCode({
    code: query.code,
    scopes,
    redirectUri,
    codeVerifier: verifier,
  }));
  response.redirect('/me');
});
app.get('/me', (_, response) =>
  response.json({ name: account.name, email: account.username, sub: account.idTokenClaims.sub }),
);
app.get('/refresh', async (_, response) => {
  const renewed = await client.acquireTokenSilent({ account, scopes, forceRefresh: true });
  response.json({ refreshed: renewed.accessToken !== token });
});
app.listen(PORT);

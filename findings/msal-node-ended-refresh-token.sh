#!/usr/bin/env bash
# @azure/msal-node 7.2.3: with another provider than Microsoft's, a refresh token that has ended
# does not lead to a sign-in.
#
# Behaviour: with protocolMode OIDC, acquireTokenSilent rejects with a ServerError where the token
# endpoint answers invalid_grant (RFC 6749 section 5.2), the standard's code for a refresh token that
# is expired or revoked. The documents of the library say to begin a sign-in on an
# InteractionRequiredAuthError, which it throws for codes that no token endpoint of the standard has.
# Consequence: an app as in the documents shows an error, and no sign-in, once a session has ended.
# Output: ServerError invalid_grant, interaction required: false
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @azure/msal-node@7.2.3 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { ConfidentialClientApplication, InteractionRequiredAuthError, ProtocolMode } = require('@azure/msal-node');
const issuer = 'https://login.example.com';
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = Math.floor(Date.now() / 1_000);
const claims = { iss: issuer, aud: 'app', sub: 'ada', iat: now, exp: now + 600 };
const id_token = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
const token = { token_type: 'Bearer', access_token: 'a', refresh_token: 'r', expires_in: 600, scope: 'openid', id_token };
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};
const ended = { error: 'invalid_grant', error_description: 'The session has ended.' };
const networkClient = {
  sendGetRequestAsync: async () => ({ status: 200, headers: {}, body: metadata }),
  sendPostRequestAsync: async (_, { body }) =>
    body.includes('grant_type=refresh_token')
      ? { status: 400, headers: {}, body: ended }
      : { status: 200, headers: {}, body: token },
};
(async () => {
  const client = new ConfidentialClientApplication({
    auth: { clientId: 'app', clientSecret: 's', authority: issuer, knownAuthorities: ['login.example.com'] },
    system: { protocolMode: ProtocolMode.OIDC, networkClient },
  });
  const scopes = ['openid'];
  const { account } = await client.acquireTokenByCode({ code: 'c', scopes, redirectUri: 'https://app.example.com/cb' });
  const error = await client.acquireTokenSilent({ account, scopes, forceRefresh: true }).catch((refused) => refused);
  const asksForSignIn = error instanceof InteractionRequiredAuthError;
  const line = `${error.name} ${error.errorCode}, interaction required: ${asksForSignIn}`;
  console.log(line);
  process.exit(line === 'ServerError invalid_grant, interaction required: false' ? 0 : 1);
})();
JS
timeout 60 node run.cjs

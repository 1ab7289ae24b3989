#!/usr/bin/env bash
# @azure/msal-node 7.2.3: with another provider than Microsoft's, tenantId is the claim acr.
#
# Behaviour: with protocolMode OIDC, account.tenantId of an ID token without the claim tid is the
# value of acr, the authentication context class (OpenID Connect Core section 2), such as "aal2".
# Consequence: an app that keys its data by account.tenantId moves a person to another tenant when
# they sign in with a second factor.
# Output: tenantId aal1, then aal2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @azure/msal-node@7.2.3 >/dev/null 2>&1
cat >run.cjs <<'JS'
const { ConfidentialClientApplication, ProtocolMode } = require('@azure/msal-node');
const issuer = 'https://login.example.com';
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signIn = async (acr) => {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: issuer, aud: 'app', sub: 'ada', iat: now, exp: now + 600, acr };
  const id_token = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;
  const token = { token_type: 'Bearer', access_token: 'a', expires_in: 600, scope: 'openid', id_token };
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  };
  const answer = (body) => ({ status: 200, headers: {}, body });
  const networkClient = {
    sendGetRequestAsync: async () => answer(metadata),
    sendPostRequestAsync: async () => answer(token),
  };
  const client = new ConfidentialClientApplication({
    auth: { clientId: 'app', clientSecret: 's', authority: issuer, knownAuthorities: ['login.example.com'] },
    system: { protocolMode: ProtocolMode.OIDC, networkClient },
  });
  const redirectUri = 'https://app.example.com/cb';
  return (await client.acquireTokenByCode({ code: 'c', scopes: ['openid'], redirectUri })).account.tenantId;
};
(async () => {
  const line = `tenantId ${await signIn('aal1')}, then ${await signIn('aal2')}`;
  console.log(line);
  process.exit(line === 'tenantId aal1, then aal2' ? 0 : 1);
})();
JS
timeout 60 node run.cjs

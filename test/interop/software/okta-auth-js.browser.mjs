import { OktaAuth } from '@okta/okta-auth-js';

const client = new OktaAuth({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  // Without these, it knows the paths of Okta only.
  authorizeUrl: `${ISSUER}/oauth2/authorize`,
  tokenUrl: `${ISSUER}/oauth2/token`,
  userinfoUrl: `${ISSUER}/oauth2/userinfo`,
  redirectUri: `${location.origin}/callback`,
  postLogoutRedirectUri: `${location.origin}/`,
  scopes: ['openid', 'profile', 'email', 'offline_access'],
});
window.app = {
  login: () => client.signInWithRedirect(),
  finish: async () => {
    const { tokens } = await client.token.parseFromUrl();
    client.tokenManager.setTokens(tokens);
    return tokens.idToken.claims;
  },
  refresh: async () => (await client.tokenManager.renew('accessToken'))?.accessToken !== undefined,
};

import { OidcClient } from '@axa-fr/oidc-client';

const client = OidcClient.getOrCreate(() => fetch)({
  client_id: CLIENT_ID,
  authority: ISSUER,
  redirect_uri: `${location.origin}/callback`,
  silent_redirect_uri: `${location.origin}/silent`,
  scope: 'openid profile email offline_access',
});
window.app = {
  login: () => client.loginAsync('/'),
  finish: async () => {
    await client.loginCallbackAsync();
    return client.userInfoAsync();
  },
  refresh: async () => {
    await client.renewTokensAsync();
    return client.tokens.accessToken !== undefined;
  },
  logout: () => client.logoutAsync('/'),
};

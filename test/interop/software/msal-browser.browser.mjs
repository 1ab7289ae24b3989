import { PublicClientApplication } from '@azure/msal-browser';

const client = new PublicClientApplication({
  auth: {
    clientId: CLIENT_ID,
    authority: ISSUER,
    knownAuthorities: [new URL(ISSUER).host],
    redirectUri: `${location.origin}/callback`,
    postLogoutRedirectUri: `${location.origin}/`,
    OIDCOptions: {
      serverResponseType: 'fragment',
      defaultScopes: ['openid', 'profile', 'email', 'offline_access'],
    },
  },
  system: { protocolMode: 'OIDC' },
  cache: { cacheLocation: 'sessionStorage' },
});
const scopes = ['openid', 'profile', 'email', 'offline_access'];
window.app = {
  login: async () => {
    await client.initialize();
    await client.handleRedirectPromise(); // of a logout before
    await client.loginRedirect({ scopes });
  },
  finish: async () => {
    await client.initialize();
    const { account } = await client.handleRedirectPromise({ navigateToLoginRequestUrl: false });
    client.setActiveAccount(account);
    return { name: account.name, email: account.username, sub: account.idTokenClaims.sub };
  },
  refresh: async () =>
    (await client.acquireTokenSilent({ scopes, account: client.getActiveAccount(), forceRefresh: true }))
      .accessToken !== '',
  logout: () => client.logoutRedirect(),
};

import { createOidc, oidcEarlyInit } from 'oidc-spa/core';

oidcEarlyInit({ BASE_URL: '/callback' });
const oidc = await createOidc({ issuerUri: ISSUER, clientId: CLIENT_ID, scopes: ['profile', 'email'] });
window.app = {
  login: () => oidc.login({ doesCurrentHrefRequiresAuth: false, redirectUrl: '/callback' }),
  finish: async () => oidc.getDecodedIdToken(),
  refresh: async () => {
    await oidc.renewTokens();
    return (await oidc.getTokens()).accessToken !== undefined;
  },
  logout: () => oidc.logout({ redirectTo: 'specific url', url: '/' }),
};

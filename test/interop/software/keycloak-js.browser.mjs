import Keycloak from 'keycloak-js';

const client = new Keycloak({ clientId: CLIENT_ID, oidcProvider: ISSUER });
const options = {
  pkceMethod: 'S256',
  checkLoginIframe: false,
  redirectUri: `${location.origin}/callback`,
  scope: 'openid profile email',
};
window.app = {
  login: () => client.init({ ...options, onLoad: 'login-required' }),
  finish: async () => {
    await client.init(options);
    return client.idTokenParsed;
  },
};

import { UserManager } from 'oidc-client';

const manager = new UserManager({
  authority: ISSUER,
  client_id: CLIENT_ID,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  response_type: 'code',
  scope: 'openid profile email',
});
window.app = {
  login: () => manager.signinRedirect(),
  finish: async () => (await manager.signinRedirectCallback()).profile,
  refresh: async () => (await manager.signinSilent()).access_token !== undefined,
  logout: () => manager.signoutRedirect(),
};

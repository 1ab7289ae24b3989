import '@angular/compiler';
import { provideHttpClient } from '@angular/common/http';
import { Component, inject } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { OAuthService, provideOAuthClient } from 'angular-oauth2-oidc';

class App {
  oauth = inject(OAuthService);
}
const Root = Component({ selector: 'app-root', template: '' })(App) ?? App;
document.body.append(document.createElement('app-root'));
const { components } = await bootstrapApplication(Root, {
  providers: [provideHttpClient(), provideOAuthClient()],
});
const { oauth } = components[0].instance;
oauth.configure({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  redirectUri: `${location.origin}/callback`,
  postLogoutRedirectUri: `${location.origin}/`,
  responseType: 'code',
  scope: 'openid profile email',
});
await oauth.loadDiscoveryDocument();
window.app = {
  login: async () => oauth.initCodeFlow(),
  finish: async () => {
    await oauth.tryLoginCodeFlow();
    return oauth.getIdentityClaims();
  },
  refresh: async () => (await oauth.refreshToken()).access_token !== undefined,
  logout: async () => oauth.logOut(),
};

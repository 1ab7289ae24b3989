import '@angular/compiler';
import { provideHttpClient } from '@angular/common/http';
import { Component, inject } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { OidcSecurityService, provideAuth } from 'angular-auth-oidc-client';
import { firstValueFrom } from 'rxjs';

class App {
  oidc = inject(OidcSecurityService);
}
const Root = Component({ selector: 'app-root', template: '' })(App) ?? App;
document.body.append(document.createElement('app-root'));
const config = {
  authority: ISSUER,
  clientId: CLIENT_ID,
  redirectUrl: `${location.origin}/callback`,
  postLogoutRedirectUri: `${location.origin}/`,
  responseType: 'code',
  scope: 'openid profile email',
  useRefreshToken: true,
};
const { components } = await bootstrapApplication(Root, {
  providers: [provideHttpClient(), provideAuth({ config })],
});
const { oidc } = components[0].instance;
window.app = {
  login: async () => oidc.authorize(),
  finish: async () => (await firstValueFrom(oidc.checkAuth())).userData,
  refresh: async () => (await firstValueFrom(oidc.forceRefreshSession())).accessToken !== '',
  logout: () => firstValueFrom(oidc.logoff()),
};

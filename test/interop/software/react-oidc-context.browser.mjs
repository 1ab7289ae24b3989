import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { AuthProvider, useAuth } from 'react-oidc-context';

const settings = {
  authority: ISSUER,
  client_id: CLIENT_ID,
  redirect_uri: `${location.origin}/callback`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid profile email',
};
function App() {
  const auth = useAuth();
  useEffect(() => {
    if (auth.isLoading) return;
    window.app = {
      login: () => auth.signinRedirect(),
      finish: async () => auth.user.profile,
      refresh: async () => (await auth.signinSilent()).access_token !== undefined,
      logout: () => auth.signoutRedirect(),
    };
  });
}
createRoot(document.documentElement.appendChild(document.createElement('main'))).render(
  createElement(AuthProvider, settings, createElement(App)),
);

import { serve } from '@hono/node-server';
import {
  getAuth,
  initOidcAuthMiddleware,
  oidcAuthMiddleware,
  processOAuthCallback,
  revokeSession,
} from '@hono/oidc-auth';
import { Hono } from 'hono';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const app = new Hono();
app.use(
  initOidcAuthMiddleware({
    OIDC_AUTH_SECRET: 'a-secret-of-the-cookie-of-32-letters',
    OIDC_ISSUER: ISSUER,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_REDIRECT_URI: `${SITE}/callback`,
    OIDC_SCOPES: 'openid profile email',
  }),
);
app.get('/callback', (context) => processOAuthCallback(context));
app.get('/logout', async (context) => {
  await revokeSession(context);
  return context.json({ page: 'home' });
});
app.use('*', oidcAuthMiddleware());
app.get('/login', (context) => context.redirect('/me'));
app.get('/me', async (context) => context.json(await getAuth(context)));
serve({ fetch: app.fetch, port: Number(PORT) });

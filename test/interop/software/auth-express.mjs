import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT } = process.env;
const config = {
  secret: 'a-secret-of-the-cookie-of-32-letters',
  trustHost: true,
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
};
const app = express();
app.use('/auth', ExpressAuth(config));
// The library begins a sign-in by a form with a token against forgery.
app.get('/login', async (request, response) => {
  const site = `http://localhost:${PORT}`;
  const begun = await fetch(`${site}/auth/csrf`);
  const cookies = begun.headers.getSetCookie().map((line) => line.split(';')[0]);
  const { csrfToken } = await begun.json();
  const answer = await fetch(`${site}/auth/signin/gatehouse`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies.join('; ') },
    body: new URLSearchParams({ csrfToken, callbackUrl: `${site}/me` }),
  });
  for (const line of [...begun.headers.getSetCookie(), ...answer.headers.getSetCookie()])
    response.append('set-cookie', line);
  response.redirect(answer.headers.get('location'));
});
app.get('/me', async (request, response) => response.json((await getSession(request, config))?.user ?? {}));
app.listen(PORT);

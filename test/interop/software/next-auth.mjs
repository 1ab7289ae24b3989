import express from 'express';
import NextAuth from 'next-auth';
import { getServerSession } from 'next-auth/next';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
process.env.NEXTAUTH_URL = `${SITE}/api/auth`;
const options = {
  secret: 'a-secret-of-the-cookie-of-32-letters',
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      wellKnown: `${ISSUER}/.well-known/openid-configuration`,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: 'openid profile email' } },
      idToken: true,
      checks: ['pkce', 'state', 'nonce'],
      profile: ({ sub: id, name, email }) => ({ id, name, email }),
    },
  ],
};
const app = express();
app.use(express.urlencoded({ extended: false }));
// What Next.js adds to a request of a page below api/.
app.use((request, _, next) => {
  const pairs = (request.headers.cookie ?? '').split('; ').map((pair) => pair.split(/=(.*)/s));
  request.cookies = Object.fromEntries(pairs.map(([name, value = '']) => [name, decodeURIComponent(value)]));
  next();
});
app.use('/api/auth', (request, response) => {
  const query = { ...request.query, nextauth: request.path.split('/').slice(1) };
  Object.defineProperty(request, 'query', { value: query });
  return NextAuth.default(request, response, options);
});
// The library begins a sign-in by a form with a token against forgery.
app.get('/login', async (_, response) => {
  const begun = await fetch(`${SITE}/api/auth/csrf`);
  const cookies = begun.headers.getSetCookie();
  const { csrfToken } = await begun.json();
  const answer = await fetch(`${SITE}/api/auth/signin/gatehouse`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies.map((line) => line.split(';')[0]).join('; ') },
    body: new URLSearchParams({ csrfToken, callbackUrl: `${SITE}/me` }),
  });
  for (const line of [...cookies, ...answer.headers.getSetCookie()]) response.append('set-cookie', line);
  response.redirect(answer.headers.get('location'));
});
app.get('/me', async (request, response) =>
  response.json((await getServerSession(request, response, options))?.user ?? {}),
);
app.listen(PORT);

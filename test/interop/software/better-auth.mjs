import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { genericOAuth } from 'better-auth/plugins';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const auth = betterAuth({
  baseURL: SITE,
  secret: 'a-secret-of-the-cookie-of-32-letters',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'gatehouse',
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          scopes: ['openid', 'profile', 'email'],
          pkce: true,
        },
      ],
    }),
  ],
});
const handle = toNodeHandler(auth);
createServer(async (request, response) => {
  if (request.url === '/login') {
    const answer = await auth.api.signInSocial({
      body: { provider: 'gatehouse', callbackURL: '/me' },
      asResponse: true,
    });
    response.setHeader('set-cookie', answer.headers.getSetCookie());
    return response.writeHead(302, { location: (await answer.json()).url }).end();
  }
  if (request.url !== '/me') return handle(request, response);
  const session = await auth.api.getSession({
    headers: new Headers({ cookie: request.headers.cookie ?? '' }),
  });
  response.end(JSON.stringify(session?.user ?? {}));
}).listen(PORT);

import cookie from '@fastify/cookie';
import oauth2 from '@fastify/oauth2';
import fastify from 'fastify';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const app = fastify();
let token;
app.register(cookie);
app.register(oauth2, {
  name: 'gatehouse',
  scope: ['openid', 'profile', 'email'],
  credentials: { client: { id: CLIENT_ID, secret: CLIENT_SECRET } },
  startRedirectPath: '/login',
  callbackUri: `${SITE}/callback`,
  discovery: { issuer: ISSUER },
});
app.get('/callback', async (request, reply) => {
  ({ token } = await app.gatehouse.getAccessTokenFromAuthorizationCodeFlow(request, reply));
  return reply.redirect('/me');
});
app.get('/me', () => app.gatehouse.userinfo(token));
app.get('/refresh', async () => {
  const renewed = await app.gatehouse.getNewAccessTokenUsingRefreshToken(token, {});
  return { refreshed: renewed.token.access_token !== token.access_token };
});
app.listen({ port: Number(PORT) });

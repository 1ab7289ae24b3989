import bell from '@hapi/bell';
import hapi from '@hapi/hapi';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const server = hapi.server({ port: Number(PORT), host: 'localhost' });
await server.register(bell);
server.auth.strategy('gatehouse', 'bell', {
  provider: {
    name: 'gatehouse',
    protocol: 'oauth2',
    pkce: 'S256',
    auth: `${ISSUER}/oauth2/authorize`,
    token: `${ISSUER}/oauth2/token`,
    scope: ['openid', 'profile', 'email'],
    profile: async (credentials, _, get) => {
      credentials.profile = await get(`${ISSUER}/oauth2/userinfo`);
    },
  },
  password: 'of the cookie, which has at least 32 characters',
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  location: SITE,
  isSecure: false,
});
let profile;
server.route([
  { method: 'GET', path: '/login', handler: (_, h) => h.redirect('/callback') },
  {
    method: 'GET',
    path: '/callback',
    options: { auth: 'gatehouse' },
    handler: ({ auth }, h) => {
      ({ profile } = auth.credentials);
      return h.redirect('/me');
    },
  },
  { method: 'GET', path: '/me', handler: () => profile },
]);
await server.start();

import express from 'express';
import openid from 'express-openid-connect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const app = express();
app.use(
  openid.auth({
    issuerBaseURL: ISSUER,
    baseURL: SITE,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    secret: 'a-secret-of-the-cookie-of-32-letters',
    authRequired: false,
    idpLogout: true,
    authorizationParams: { response_type: 'code', scope: 'openid profile email offline_access' },
  }),
);
app.get('/me', (request, response) => response.json(request.oidc.user ?? {}));
app.get('/refresh', async (request, response) => {
  const { access_token: token } = await request.oidc.accessToken.refresh();
  response.json({ refreshed: token !== undefined });
});
app.get('/', (_, response) => response.json({ page: 'home' }));
app.listen(PORT);

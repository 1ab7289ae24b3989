// As the README shows it for a code flow, with the response mode that the library prefers.
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
    clientAuthMethod: 'client_secret_post',
    secret: 'a-secret-of-the-cookie-of-32-letters',
    authRequired: false,
    authorizationParams: { response_type: 'code', response_mode: 'form_post' },
  }),
);
app.get('/me', (request, response) => response.json(request.oidc.user ?? {}));
app.get('/', (_, response) => response.json({ page: 'home' }));
app.listen(PORT);

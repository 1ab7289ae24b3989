import jackson from '@boxyhq/saml-jackson';
import express from 'express';

const { SITE, PORT, METADATA, KEY, CERTIFICATE } = process.env;
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';
const callback = `${SITE}/callback`;
const place = { tenant: 'depot', product: 'orders' };
const { connectionAPIController, oauthController, logoutController, spConfig } = await jackson.default({
  externalUrl: SITE,
  samlPath: '/acs',
  samlAudience: `${SITE}/saml`,
  db: { engine: 'mem' },
  certs: { privateKey: btoa(KEY), publicKey: btoa(CERTIFICATE) },
  noAnalytics: true,
});
const connection = await connectionAPIController.createSAMLConnection({
  ...place,
  rawMetadata: METADATA,
  identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  defaultRedirectUrl: callback,
  redirectUrl: [callback],
});
const app = express();
app.use(express.urlencoded({ extended: false }));
app.get('/login', async (_, response) => {
  const { clientID: client_id } = connection;
  const request = { response_type: 'code', client_id, redirect_uri: callback, state: 'orders' };
  response.redirect((await oauthController.authorize(request)).redirect_url);
});
app.post('/acs', async ({ body }, response) =>
  response.redirect((await oauthController.samlResponse(body)).redirect_url),
);
let shown = {};
app.get('/callback', async ({ query }, response) => {
  const { clientID: client_id, clientSecret: client_secret } = connection;
  const grant = { grant_type: 'authorization_code', code: query.code, redirect_uri: callback };
  const { access_token } = await oauthController.token({ ...grant, client_id, client_secret });
  const { id: name_id, raw: attributes } = await oauthController.userInfo(access_token);
  shown = { name_id, relay_state: query.state, attributes };
  response.redirect('/me');
});
app.get('/logout', async (_, response) => {
  const request = { ...place, nameId: shown.name_id, redirectUrl: '/signed-out' };
  const { logoutUrl: url } = await logoutController.createRequest(request);
  response.redirect(url);
});
app.post('/slo', async ({ body }, response) => {
  const { redirectUrl } = await logoutController.handleResponse(body);
  response.redirect(redirectUrl);
});
app.get('/signed-out', (_, response) => response.json({ signed_out: true }));
app.get('/me', (_, response) => response.json(shown));
app.get('/metadata', async (_, response) => {
  // Its metadata say nothing of a logout.
  const logout = `<md:SingleLogoutService Binding="${POST}" Location="${SITE}/slo"/>`;
  response.send((await spConfig.toXMLMetadata()).replace('<md:NameIDFormat>', `${logout}$&`));
});
app.listen(PORT);

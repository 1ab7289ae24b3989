import express from 'express';
import * as samlify from 'samlify';

const { SITE, PORT, METADATA, KEY, CERTIFICATE } = process.env;
// Its validators of schemas are separate packages.
samlify.setSchemaValidator({ validate: async () => 'not validated' });
const { redirect, post } = samlify.Constants.namespace.binding;
let idp;
const sp = samlify.ServiceProvider({
  entityID: `${SITE}/saml`,
  privateKey: KEY,
  signingCert: CERTIFICATE,
  authnRequestsSigned: true,
  wantAssertionsSigned: true,
  wantMessageSigned: true,
  wantLogoutResponseSigned: true,
  requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
  // Without it, each request forbids the provider to make an identifier.
  allowCreate: true,
  relayState: 'orders',
  assertionConsumerService: [{ Binding: post, Location: `${SITE}/acs` }],
  singleLogoutService: [{ Binding: redirect, Location: `${SITE}/slo` }],
});
let user = {};
let [nameID, sessionIndex] = [];
const app = express();
app.use(express.urlencoded({ extended: false }));
app.get('/login', async (_, response) => {
  // It signs only if the provider's metadata say so, as they do once the provider has read ours.
  const metadata = await fetch(METADATA.match(/entityID="([^"]+)"/)[1]);
  idp = samlify.IdentityProvider({ metadata: await metadata.text(), wantLogoutRequestSigned: true });
  response.redirect(sp.createLoginRequest(idp, 'redirect').context);
});
app.post('/acs', async (request, response) => {
  const { extract } = await sp.parseLoginResponse(idp, 'post', request);
  [nameID, sessionIndex] = [extract.nameID, extract.sessionIndex?.sessionIndex];
  user = { name_id: nameID, relay_state: request.body.RelayState, attributes: extract.attributes };
  response.redirect('/me');
});
app.get('/logout', (_, response) =>
  response.redirect(sp.createLogoutRequest(idp, 'redirect', { logoutNameID: nameID, sessionIndex }).context),
);
app.get('/slo', async (request, response) => {
  const octetString = ['SAMLResponse', 'RelayState', 'SigAlg']
    .filter((name) => request.query[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(request.query[name])}`)
    .join('&');
  await sp.parseLogoutResponse(idp, 'redirect', { query: request.query, octetString });
  user = { signed_out: true };
  response.redirect('/me');
});
app.get('/me', (_, response) => response.json(user));
app.get('/metadata', (_, response) => response.send(sp.getMetadata()));
app.listen(PORT);

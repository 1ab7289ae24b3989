import express from 'express';
import saml2 from 'saml2-js';

const { SITE, PORT, METADATA, KEY, CERTIFICATE } = process.env;
const read = (pattern) => METADATA.match(pattern)?.[1];
const sp = new saml2.ServiceProvider({
  entity_id: `${SITE}/saml`,
  private_key: KEY,
  certificate: CERTIFICATE,
  assert_endpoint: `${SITE}/acs`,
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  sign_get_request: true,
  allow_unencrypted_assertion: true,
});
const idp = new saml2.IdentityProvider({
  sso_login_url: read(/SingleSignOnService Binding="[^"]+Redirect" Location="([^"]+)"/),
  sso_logout_url: read(/SingleLogoutService Binding="[^"]+Redirect" Location="([^"]+)"/),
  certificates: [read(/X509Certificate>([^<]+)</)],
});
let user = {};
let session = {};
const app = express();
app.use(express.urlencoded({ extended: false }));
const go = (response, next) => (error, url) => (error ? next(error) : response.redirect(url));
app.get('/login', (_, response, next) =>
  sp.create_login_request_url(idp, { relay_state: 'orders' }, go(response, next)),
);
app.post('/acs', ({ body }, response, next) =>
  sp.post_assert(idp, { request_body: body }, (error, answer) => {
    if (error) return next(error);
    const { name_id, session_index, attributes } = answer.user;
    session = { name_id, session_index };
    user = { name_id, relay_state: body.RelayState, attributes };
    response.redirect('/me');
  }),
);
app.get('/logout', (_, response, next) =>
  sp.create_logout_request_url(idp, { ...session, relay_state: 'bye' }, go(response, next)),
);
// Its metadata name one address for both.
app.get('/acs', ({ query }, response, next) =>
  sp.redirect_assert(idp, { request_body: query }, (error) => {
    if (error) return next(error);
    user = { signed_out: true };
    response.redirect('/me');
  }),
);
app.get('/me', (_, response) => response.json(user));
app.get('/metadata', (_, response) => response.send(sp.create_metadata()));
app.listen(PORT);

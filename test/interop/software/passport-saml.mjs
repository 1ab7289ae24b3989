import { Strategy } from '@node-saml/passport-saml';
import express from 'express';
import session from 'express-session';
import passport from 'passport';

const { SITE, PORT, METADATA, KEY, CERTIFICATE } = process.env;
const read = (pattern) => METADATA.match(pattern)?.[1];
const strategy = new Strategy(
  {
    issuer: `${SITE}/saml`,
    callbackUrl: `${SITE}/acs`,
    logoutCallbackUrl: `${SITE}/slo`,
    entryPoint: read(/SingleSignOnService Binding="[^"]+Redirect" Location="([^"]+)"/),
    logoutUrl: read(/SingleLogoutService Binding="[^"]+Redirect" Location="([^"]+)"/),
    idpIssuer: read(/entityID="([^"]+)"/),
    idpCert: read(/X509Certificate>([^<]+)</),
    privateKey: KEY,
    publicCert: CERTIFICATE,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    disableRequestedAuthnContext: true,
    validateInResponseTo: 'always',
    wantAuthnResponseSigned: true,
    additionalParams: { RelayState: 'orders' },
  },
  (profile, done) => done(null, profile),
  (profile, done) => done(null, profile),
);
passport.use('saml', strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(express.urlencoded({ extended: false }));
app.use(session({ secret: 'of the cookie', resave: false, saveUninitialized: false }), passport.session());
let shown = {};
app.get('/login', passport.authenticate('saml'));
app.post('/acs', passport.authenticate('saml'), ({ user, body }, response) => {
  const { nameID: name_id, attributes } = user;
  shown = { name_id, relay_state: body.RelayState, attributes };
  response.redirect('/me');
});
app.get('/logout', (request, response, next) =>
  strategy.logout(request, (error, url) => (error ? next(error) : response.redirect(url))),
);
app.get('/slo', passport.authenticate('saml'), (request, response, next) =>
  request.logout((error) => {
    if (error) return next(error);
    shown = { signed_out: request.isUnauthenticated() };
    response.redirect('/me');
  }),
);
app.get('/me', (_, response) => response.json(shown));
app.get('/metadata', (_, response) => {
  const metadata = strategy.generateServiceProviderMetadata(null, CERTIFICATE);
  // With validateInResponseTo, it refuses each answer to a logout by the binding of its metadata.
  response.send(metadata.replace(/(SingleLogoutService Binding="[^"]+)HTTP-POST/, '$1HTTP-Redirect'));
});
app.listen(PORT);

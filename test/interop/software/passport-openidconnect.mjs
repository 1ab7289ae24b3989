import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OpenIDConnectStrategy from 'passport-openidconnect';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: ISSUER,
      authorizationURL: `${ISSUER}/oauth2/authorize`,
      tokenURL: `${ISSUER}/oauth2/token`,
      userInfoURL: `${ISSUER}/oauth2/userinfo`,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${SITE}/callback`,
      scope: ['profile', 'email'],
      nonce: true,
    },
    (issuer, profile, done) => done(null, profile),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(session({ secret: 'of the cookie', resave: false, saveUninitialized: false }), passport.session());
app.get('/login', passport.authenticate('openidconnect'));
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/me' }));
app.get('/me', ({ user }, response) =>
  response.json({ sub: user?.id, name: user?.displayName, email: user?.emails?.[0]?.value }),
);
app.listen(PORT);

// As its README: without PKCE, nonce and scope.
import express from 'express';
import session from 'express-session';
import passport from 'passport';
import OAuth2Strategy from 'passport-oauth2';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const strategy = new OAuth2Strategy(
  {
    authorizationURL: `${ISSUER}/oauth2/authorize`,
    tokenURL: `${ISSUER}/oauth2/token`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: `${SITE}/callback`,
    state: true,
  },
  (accessToken, refreshToken, profile, done) => done(null, profile),
);
strategy._oauth2.useAuthorizationHeaderforGET(true);
strategy.userProfile = (token, done) =>
  strategy._oauth2.get(`${ISSUER}/oauth2/userinfo`, token, (error, body) =>
    done(error, body && JSON.parse(body)),
  );
passport.use(strategy);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(session({ secret: 'of the cookie', resave: false, saveUninitialized: false }), passport.session());
app.get('/login', passport.authenticate('oauth2'));
app.get('/callback', passport.authenticate('oauth2', { successRedirect: '/me' }));
app.get('/me', ({ user }, response) => response.json(user ?? {}));
app.listen(PORT);

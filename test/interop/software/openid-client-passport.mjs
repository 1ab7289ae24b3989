import express from 'express';
import session from 'express-session';
import * as client from 'openid-client';
import { Strategy } from 'openid-client/passport';
import passport from 'passport';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET);
const options = { name: 'gatehouse', config, scope: 'openid profile email', callbackURL: `${SITE}/callback` };
let tokens;
passport.use(
  new Strategy(options, (answer, done) => {
    tokens = answer;
    done(null, answer.claims());
  }),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));
const app = express();
app.use(session({ secret: 'of the cookie', resave: false, saveUninitialized: false }), passport.session());
app.get('/login', passport.authenticate('gatehouse'));
app.get('/callback', passport.authenticate('gatehouse', { successRedirect: '/me' }));
app.get('/me', ({ user }, response) => response.json(user ?? {}));
app.get('/refresh', async (_, response) => {
  const renewed = await client.refreshTokenGrant(config, tokens.refresh_token);
  response.json({ refreshed: renewed.access_token !== tokens.access_token });
});
app.get('/logout', (request, response, next) => {
  const parameters = { post_logout_redirect_uri: `${SITE}/`, id_token_hint: tokens.id_token };
  request.logout((error) =>
    error ? next(error) : response.redirect(client.buildEndSessionUrl(config, parameters).href),
  );
});
app.get('/', (_, response) => response.json({ page: 'home' }));
app.listen(PORT);

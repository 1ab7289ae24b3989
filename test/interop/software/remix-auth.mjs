import express from 'express';
import { Authenticator } from 'remix-auth';
import { OAuth2Strategy } from 'remix-auth-oauth2';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
let tokens;
const strategy = await OAuth2Strategy.discover(
  ISSUER,
  {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    redirectURI: `${SITE}/callback`,
    scopes: ['openid', 'profile', 'email'],
  },
  async ({ tokens: answer }) => {
    tokens = answer;
    const headers = { authorization: `Bearer ${answer.accessToken()}` };
    return (await fetch(`${ISSUER}/oauth2/userinfo`, { headers })).json();
  },
);
const authenticator = new Authenticator();
authenticator.use(strategy, 'gatehouse');
// A loader of Remix or React Router has the request of fetch, and throws its redirects.
const load = async ({ originalUrl, headers: { cookie = '' } }, response) => {
  try {
    const request = new Request(SITE + originalUrl, { headers: { cookie } });
    user = await authenticator.authenticate('gatehouse', request);
    response.redirect('/me');
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    for (const line of thrown.headers.getSetCookie()) response.append('set-cookie', line);
    response.redirect(thrown.headers.get('location'));
  }
};
let user = {};
const app = express();
app.get('/login', load);
app.get('/callback', load);
app.get('/me', (_, response) => response.json(user));
app.get('/refresh', async (_, response) => {
  const renewed = await strategy.refreshToken(tokens.refreshToken());
  response.json({ refreshed: renewed.accessToken() !== tokens.accessToken() });
});
app.listen(PORT);

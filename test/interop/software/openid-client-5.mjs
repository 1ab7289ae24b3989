import express from 'express';
import { generators, Issuer } from 'openid-client-5';

const { ISSUER, CLIENT_ID, CLIENT_SECRET, SITE, PORT } = process.env;
const issuer = await Issuer.discover(ISSUER);
const client = new issuer.Client({
  client_id: CLIENT_ID,
  client_secret: CLIENT_SECRET,
  redirect_uris: [`${SITE}/callback`],
});
const [code_verifier, state, nonce] = [generators.codeVerifier(), generators.state(), generators.nonce()];
let tokens;
const app = express();
app.get('/login', (_, response) =>
  response.redirect(
    client.authorizationUrl({
      scope: 'openid profile email',
      code_challenge: generators.codeChallenge(code_verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }),
  ),
);
app.get('/callback', async (request, response) => {
  const checks = { code_verifier, state, nonce };
  tokens = await client.callback(`${SITE}/callback`, client.callbackParams(request), checks);
  response.redirect('/me');
});
app.get('/me', async (_, response) => response.json(await client.userinfo(tokens)));
app.get('/refresh', async (_, response) => {
  const renewed = await client.refresh(tokens);
  response.json({ refreshed: renewed.access_token !== tokens.access_token });
});
app.get('/logout', (_, response) =>
  response.redirect(client.endSessionUrl({ id_token_hint: tokens, post_logout_redirect_uri: `${SITE}/` })),
);
app.get('/', (_, response) => response.json({ page: 'home' }));
app.listen(PORT);

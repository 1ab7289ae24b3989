import { Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

const HOME = 'https://rp.example/bye';

/** Addresses that begin like a registered one, or the other way round, or look like it. */
const near = (uri: string): string[] => [
  `${uri}x`,
  `${uri}/`,
  `${uri}/evil`,
  `${uri}?a=b`,
  `${uri}#a`,
  `${uri}.evil.example/`,
  uri.slice(0, -1),
  new URL(uri).origin,
  `${new URL(uri).origin}/`,
  uri.replace('https://', 'https://evil.example/'),
  uri.replace('https://', 'https://evil.example@'),
  uri.replace('.example', '.example.evil.example'),
  uri.replace('https:', 'http:'),
  ` ${uri}`,
];

describe('An address to which people are sent', () => {
  let ada: Person;
  let party: RelyingParty;
  let satellite: TestSatellite;
  let hint: string;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    party = await RelyingParty.register(app, { postLogoutRedirectUris: [HOME] });
    satellite = await TestSatellite.register(app);
    hint = String((await party.signIn(ada.token)).id_token);
  });

  const open = async (path: string, query: Record<string, string>) => {
    const url = `${app.url}${path}?${new URLSearchParams(query)}`;
    return (await fetch(url, { redirect: 'manual' })).status;
  };
  const authorize = (redirectUri: string) => ({
    client_id: party.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    code_challenge: pkce().codeChallenge,
    code_challenge_method: 'S256',
  });

  it.each<[string, number, () => string, (uri: string) => Promise<number>]>([
    ['an authorization', 303, () => party.redirectUri, (uri) => open('/oauth2/authorize', authorize(uri))],
    [
      'a pushed request',
      201,
      () => party.redirectUri,
      async (uri) => (await party.post('/oauth2/par', authorize(uri))).status,
    ],
    [
      'the page of a satellite',
      200,
      () => satellite.redirectUri,
      async (redirectUri) => {
        const query = new URLSearchParams({ clientId: satellite.clientId, redirectUri });
        return (await app.get(`/api/v1/iam/auth/satellite/request?${query}`)).status;
      },
    ],
    [
      'a code of a satellite',
      201,
      () => satellite.redirectUri,
      async (redirectUri) => (await satellite.issue(ada.token, pkce().codeChallenge, { redirectUri })).status,
    ],
    [
      'the page of a logout',
      200,
      () => HOME,
      async (uri) => {
        const query = new URLSearchParams({ clientId: party.clientId, postLogoutRedirectUri: uri });
        return (await app.get(`/api/v1/iam/auth/logout-request?${query}`)).status;
      },
    ],
    [
      'a logout without a hint',
      303,
      () => HOME,
      (uri) => open('/oauth2/logout', { client_id: party.clientId, post_logout_redirect_uri: uri }),
    ],
    [
      'a logout by a hint',
      303,
      () => HOME,
      (uri) => open('/oauth2/logout', { id_token_hint: hint, post_logout_redirect_uri: uri }),
    ],
  ])('is the registered one after %s, and none that begins or looks like it', async (_, status, of, ask) => {
    for (const uri of near(of())) expect([uri, await ask(uri)]).toEqual([uri, 400]);
    expect((await app.get('/api/v1/iam/me', ada.token)).status).toBe(200); // nothing has ended
    expect(await ask(of())).toBe(status);
  });
});

import { freePort } from '../support/built-service.js';
import { RelyingParty } from '../support/relying-party.js';
import { describeWith } from '../support/tools.js';
import { type AppOfOthers, Provider } from './harness.js';

const TOOLKIT = '/usr/lib/python3/dist-packages/oauth2_provider';

/** Returns a token whose signature is another one. */
function changed(token: string): string {
  const [header, claims, signature = ''] = token.split('.');
  return `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

describeWith(['python3', TOOLKIT], 'Django OAuth Toolkit, as an API', () => {
  let provider: Provider;
  let api: AppOfOthers;
  let party: RelyingParty;
  beforeAll(async () => {
    provider = await Provider.start();
    party = await RelyingParty.register(provider.app);
    const { clientId, clientSecret } = party;
    const credentials = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    api = await provider.startScript('django-oauth-toolkit.py', await freePort(), credentials);
  });
  afterAll(async () => {
    await api?.stop();
    await provider?.stop();
  });

  it('asks about each token, and takes no other', async () => {
    const { access_token: token } = await party.signIn(provider.ada.token);
    const open = async (bearer: string) => {
      const response = await fetch(api.site, { headers: { authorization: `Bearer ${bearer}` } });
      return [response.status, response.ok ? await response.json() : null];
    };
    expect(await open(changed(token))).toEqual([403, null]);
    expect(await open(token)).toEqual([200, { user: provider.ada.email }]);
  });
});

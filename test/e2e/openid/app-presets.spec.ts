import { ClientSecretBasic, None } from 'openid-client';
import { PRESETS } from '../../../portal/src/pages/organization/apps/presets.js';
import { Organization } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

describe('Kinds of apps that the portal offers', () => {
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  it('are ten', () => {
    expect(PRESETS).toHaveLength(10);
  });

  it.each(PRESETS)('can be registered for $id, and begin to sign in as the code says', async (preset) => {
    const { id, type, grantTypes, redirectUri, snippet } = preset;
    const redirectUris = redirectUri === null ? [] : [redirectUri];
    const { status, body } = await organization.call('POST', '/clients', {
      name: id,
      type,
      grantTypes,
      redirectUris,
    });
    expect([status, body]).toEqual([201, expect.anything()]);
    const clientId = String(body['clientId']);
    const code = snippet({ issuer: app.url, clientId, redirectUri: redirectUri ?? '' });
    for (const value of [app.url, clientId]) expect(code).toContain(value);
    // A public client needs no secret, and a confidential one never has it in the code.
    expect(/secret/i.test(code)).toBe(type === 'confidential');
    const clientSecret = String(body['clientSecret'] ?? '');
    const method = type === 'public' ? None() : ClientSecretBasic(clientSecret);
    const registered = { clientId, clientSecret, redirectUri: redirectUri ?? '' };
    const party = await RelyingParty.of(app, registered, method);
    if (redirectUri !== null) return expect((await party.request()).id).not.toBe('');
    const path = new URL(String(/curl (\S+)/.exec(code)?.[1])).pathname;
    const device = await party.post(path, { client_id: clientId, scope: 'openid' }, null);
    return expect(device).toMatchObject({ status: 200, body: { user_code: expect.anything() } });
  });
});

import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { TestTotp } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { responseIn, SamlApp, statusIn } from '../../support/saml-app.js';
import { type Answer, withApp } from '../../support/test-app.js';

const REDIRECT_URI = 'https://app.example/callback';
const TWO_FACTORS = 'https://refeds.org/profile/mfa';
const OWN_PROOF = { status: 401, body: { missing: ['own_proof'] } };

/**
 * What apps are told of a sign-in by the connection of A, and a factor that was added in such a
 * session: the administrator of the provider of A has both. B accepts connections of others.
 */
describe('The strength of a sign-in, as apps are told', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let b: Organization;
  let token: string;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    [a, b] = [await Organization.found(app), await Organization.found(app)];
    expect((await b.call('PUT', '/sign-in-policy', { otherConnections: true })).status).toBe(200);
    const connection = await LabConnection.active(a, samlSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    const subject = ulid().toLowerCase();
    const words = { attributes: { email: `${subject}@${connection.domain}` } };
    const landed = await connection.bring(lab.answer(await connection.start(), subject, { words }));
    const first = String(landed.fragment['access_token']);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [b.id, decodeJwt(first).sub]);
    const totp = await TestTotp.enrol(app, first);
    const shown = await app.post('step-up', { method: 'totp', code: totp.next() }, { token: first });
    token = accessTokenIn(
      await app.post('select-tenant', { tenantId: a.id }, { token: accessTokenIn(shown) }),
    );
  });

  const accessTokenIn = ({ body }: Answer) => String(body['accessToken']);
  const claimsOf = (jwt: string | undefined) => {
    const { acr, amr = [], aal2_time } = decodeJwt<{ amr: string[]; aal2_time: number }>(jwt ?? '');
    return { acr, isMulti: amr.includes('mfa'), hasTime: aal2_time !== undefined };
  };
  const STRONG = { acr: 'aal2', isMulti: true, hasTime: true };
  const WEAK = { acr: 'aal1', isMulti: false, hasTime: false };
  const partyOf = async (organization: Organization): Promise<RelyingParty> => {
    const { body } = await organization.call('POST', '/clients', {
      name: 'App',
      redirectUris: [REDIRECT_URI],
    });
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    return RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
  };
  const classIn = (xml: string) => /AuthnContextClassRef>([^<]+)</.exec(xml)?.[1];
  const asking = {
    more: `<samlp:RequestedAuthnContext><saml:AuthnContextClassRef>${TWO_FACTORS}</saml:AuthnContextClassRef></samlp:RequestedAuthnContext>`,
  };

  it('is two factors to apps of the organization', async () => {
    const tokens = await (await partyOf(a)).signIn(token, { acr_values: 'aal2' });
    expect(claimsOf(tokens.id_token)).toMatchObject({ acr: 'aal2', isMulti: true });
    expect(claimsOf(tokens.access_token)).toEqual(STRONG);
    expect(claimsOf(token)).toEqual(STRONG);
    const erp = await SamlApp.register(app, a);
    expect(classIn(responseIn(await erp.signIn(token, asking)))).toBe(TWO_FACTORS);
  });

  it('is one factor to apps of another organization, by OpenID Connect and by SAML', async () => {
    const tokens = await (await partyOf(b)).signIn(token);
    expect(claimsOf(tokens.id_token)).toMatchObject({ acr: 'aal1', isMulti: false });
    expect(claimsOf(tokens.access_token)).toEqual(WEAK);
    const erp = await SamlApp.register(app, b);
    expect(classIn(responseIn(await erp.signIn(token)))).toBe(
      'urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified',
    );
  });

  it('is not enough for an app of another organization that asks for two factors', async () => {
    const party = await partyOf(b);
    const { id } = await party.request({ acr_values: 'aal2' });
    expect(await party.approve(id, token)).toMatchObject(OWN_PROOF);
    const erp = await SamlApp.register(app, b);
    const page = await erp.redirect(erp.request(asking));
    expect(await erp.approve(erp.idOf(page), token)).toMatchObject(OWN_PROOF);
    const passive = await erp.redirect(erp.request({ ...asking, attributes: 'IsPassive="true"' }));
    expect(statusIn(await erp.finish(passive, token))).toEqual(['Requester', 'NoAuthnContext']);
  });

  it('is one factor in tokens of the other organization, and to its APIs', async () => {
    const entered = accessTokenIn(await app.post('select-tenant', { tenantId: b.id }, { token }));
    expect(claimsOf(entered)).toMatchObject({ acr: 'aal1', isMulti: false });
    const identifier = `https://${ulid().toLowerCase()}.example/api`;
    const scopes = [
      { name: 'any', title: 'Any' },
      { name: 'strong', title: 'Strong', acr: 'aal2' },
    ];
    const api = await b.call('POST', '/apis', { identifier, name: 'Orders', scopes });
    const party = await partyOf(b);
    const reach = `/clients/${party.clientId}/apis/${String(api.body['id'])}`;
    expect((await b.call('PUT', reach, { scopes: ['any', 'strong'] })).status).toBe(200);
    const asked = await party.request({ scope: 'openid any strong', resource: identifier });
    expect(await party.approve(asked.id, token)).toMatchObject(OWN_PROOF);
    const { access_token: ofApi, scope } = await party.signIn(token, {
      scope: 'openid any',
      resource: identifier,
    });
    expect([claimsOf(ofApi), scope]).toEqual([WEAK, 'any']);
  });
});

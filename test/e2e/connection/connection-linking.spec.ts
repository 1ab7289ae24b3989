import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { signedInAgo } from '../../support/aged.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

describe('An account at a connection', () => {
  const lab = new SamlStandIn();
  let connection: LabConnection;
  let ada: Person;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    const organization = await Organization.found(app);
    connection = await LabConnection.active(organization, samlSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    ada = await Person.signUp(app, `ada@${connection.domain}`);
  });

  const signIn = async (codeChallenge?: string, subject = 'ada') => {
    const address = await connection.start({ codeChallenge });
    const words = { attributes: { email: ada.email } };
    return (await connection.bring(lab.answer(address, subject, { words }))).fragment;
  };
  const redeem = (token: string, code: unknown, codeVerifier?: string) =>
    app.call('POST', '/api/v1/iam/me/identities/redeem', { code, codeVerifier }, { token });

  it('with a password is not linked by its address, and without a challenge only refused', async () => {
    const refused = await signIn();
    expect([refused['error'], refused['link_code']]).toEqual(['account_exists', undefined]);
    expect((await app.get('/api/v1/iam/me/identities', ada.token)).body['items']).toEqual([]);
  });

  it('is linked once its person has proven it, in the tab that began, and once', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const { error, link_code: code } = await signIn(codeChallenge);
    expect([error, code]).toEqual(['account_exists', expect.any(String)]);
    const { accessToken: old } = await signedInAgo(app, ada, 120);
    const proven = await Person.again(ada);
    const stranger = await Person.signUp(app);
    for (const [token, verifier] of [
      [old, codeVerifier],
      [proven.token, pkce().codeVerifier],
      [proven.token, undefined],
      [stranger.token, codeVerifier],
    ] as const)
      expect((await redeem(token, code, verifier)).status).toBe(400);
    expect((await redeem(proven.token, code, codeVerifier)).status).toBe(201);
    expect((await redeem(proven.token, code, codeVerifier)).status).toBe(400);
    const { access_token: token } = await signIn();
    expect((await app.get('/api/v1/iam/me', token)).body['id']).toBe(ada.id);
    expect((await signIn(undefined, 'another'))['error']).toBe('account_exists');
  });

  it('is not proven by an assertion that has proven it before', async () => {
    const words = { attributes: { email: ada.email }, assertionId: `_${ulid()}` };
    const prove = async () => {
      const { codeChallenge } = pkce();
      const address = await connection.start({ codeChallenge });
      return (await connection.bring(lab.answer(address, 'again', { words }))).fragment;
    };
    expect(await prove()).toMatchObject({ error: 'account_exists', link_code: expect.any(String) });
    const { error, link_code: code } = await prove();
    expect([error, code]).toEqual(['invalid_response', undefined]);
  });

  it('that was unlinked is not linked again by a code from before', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const { link_code: code } = await signIn(codeChallenge, 'second');
    const { token } = await Person.again(ada);
    const { body } = await app.get('/api/v1/iam/me/identities', token);
    const [{ id } = { id: '' }] = body['items'] as unknown as { id: string }[];
    expect((await app.call('DELETE', `/api/v1/iam/me/identities/${id}`, undefined, { token })).status).toBe(
      204,
    );
    expect((await redeem(token, code, codeVerifier)).status).toBe(400);
  });
});

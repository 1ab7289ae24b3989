import { ulid } from 'ulid';
import { TenantDeletionCleanup } from '../../../src/iam/organizations/tenants/deletion/tenant-deletion.cleanup.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { startDeletion } from '../../support/deletion.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { eventually, itemsOf, tokenIn, withApp } from '../../support/test-app.js';

/** Subject of the mail with a link to choose another password. */
const RESET = 'Reset your password';

/** Attack F6: an organization keeps what it made of an address after it has lost the domain. */
describe('An organization that was the authority for an address', () => {
  const lab = new SamlStandIn();
  let organization: Organization;
  let connection: LabConnection;
  let email: string;
  const app = withApp({ PORTAL: 'off' });
  beforeEach(async () => {
    organization = await Organization.found(app);
    connection = await LabConnection.active(organization, samlSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    email = `ceo@${connection.domain}`;
  });

  const signIn = async (by = connection, subject = 'ceo', address = email, codeChallenge?: string) => {
    const words = { attributes: { email: address } };
    return (await by.bring(lab.answer(await by.start({ codeChallenge }), subject, { words }))).fragment;
  };
  const idOf = async ({ access_token: token = '' }: Record<string, string>) =>
    String((await app.get('/api/v1/iam/me', token)).body['id']);
  const domainId = async () => {
    const [{ id } = { id: '' }] = itemsOf<{ id: string }>(await organization.call('GET', '/domains'));
    return id;
  };
  const reset = async () => {
    // Notices of before may arrive after the request: only the mail of the reset has the link.
    const links = async () => (await app.mails(email, 0)).filter((mail) => mail.includes(RESET));
    const { length: before } = await links();
    await app.post('request-password-reset', { email });
    await eventually('the link is mailed', async () => (await links()).length > before);
    const token = tokenIn((await links()).at(-1) ?? '');
    const password = 'chosen-by-the-owner-2';
    expect((await app.post('reset-password', { token, newPassword: password })).status).toBe(204);
    return Person.again({ service: app, email, password });
  };
  const identitiesOf = async ({ token }: Person) =>
    itemsOf<{ id: string; organization?: object }>(await app.get('/api/v1/iam/me/identities', token));

  /** Proves the account, which the connection has to ask for, and signs in by it. */
  const link = async (person: Person) => {
    const { codeVerifier, codeChallenge } = pkce();
    const asked = await signIn(connection, 'ceo', email, codeChallenge);
    expect(asked).toMatchObject({ error: 'account_exists', link_code: expect.any(String) });
    const { token } = await Person.again(person);
    const code = { code: asked['link_code'], codeVerifier };
    expect((await app.call('POST', '/api/v1/iam/me/identities/redeem', code, { token })).status).toBe(201);
    expect(await idOf(await signIn())).toBe(person.id);
  };

  const losses: Record<string, () => Promise<unknown>> = {
    'its connection has lost the domain': () => connection.call('PATCH', '', { domainIds: [] }),
    'it has deleted the domain': async () => {
      await connection.call('PATCH', '', { domainIds: [] });
      expect((await organization.call('DELETE', `/domains/${await domainId()}`)).status).toBe(204);
    },
    'an operator has withdrawn the domain': () =>
      app.command('domain:withdraw', '--domain', connection.domain),
    'the domain has lapsed': () =>
      app.sql("UPDATE tenant_domains SET status = 'lapsed' WHERE domain = $1", [connection.domain]),
    'another organization has verified the domain': async () => {
      await app.command('domain:withdraw', '--domain', connection.domain);
      await LabConnection.create(await Organization.found(app), samlSettings(lab), connection.domain);
    },
  };

  it.each(Object.keys(losses))('F6: does not sign in after a password reset once %s', async (loss) => {
    const before = await idOf(await signIn());
    await losses[loss]?.();
    const person = await reset();
    expect(person.id).toBe(before);
    expect(await identitiesOf(person)).toEqual([]);
    expect((await signIn())['error']).toBe('domain_not_verified');
  });

  it('signs in after a password reset while it has the domain', async () => {
    const before = await idOf(await signIn());
    expect(await identitiesOf(await reset())).toHaveLength(1);
    expect(await idOf(await signIn())).toBe(before);
  });

  it('links no account by a code from before it lost the domain', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const person = await Person.signUp(app, email);
    const { link_code: code } = await signIn(connection, 'ceo', email, codeChallenge);
    const { token } = await Person.again(person);
    await connection.call('PATCH', '', { domainIds: [] });
    const redeem = () =>
      app.call('POST', '/api/v1/iam/me/identities/redeem', { code, codeVerifier }, { token });
    expect((await redeem()).status).toBe(400);
    expect(await identitiesOf(person)).toEqual([]);
    await connection.call('PATCH', '', { domainIds: [await domainId()] });
    expect((await redeem()).status).toBe(201);
  });

  describe('whose member has a password', () => {
    let person: Person;
    beforeEach(async () => {
      await signIn();
      person = await reset();
    });
    const member = () => `/members/${person.id}`;

    const ends: Record<string, () => Promise<unknown>> = {
      'was removed': () => organization.call('DELETE', member()),
      left: async () => {
        const path = `${organization.path}/leave`;
        return app.call('POST', path, undefined, { token: await person.select(organization.id) });
      },
    };
    it.each(Object.keys(ends))('asks for the account once they %s', async (end) => {
      expect(await ends[end]?.()).toMatchObject({ status: 204 });
      expect(await identitiesOf(person)).toEqual([]);
      await link(person);
      expect(await idOf(await signIn())).toBe(person.id);
    });

    it('asks for the account also where an identity has outlived the membership', async () => {
      await app.sql('DELETE FROM members WHERE user_id = $1', [person.id]);
      expect((await signIn())['error']).toBe('account_exists');
    });

    it('is no sign-in method once it was deleted', async () => {
      expect(await identitiesOf(person)).toHaveLength(1);
      await startDeletion(app, organization.id);
      await app.sql('UPDATE tenants SET archived_at = now() WHERE id = $1', [organization.id]);
      await app.app.get(TenantDeletionCleanup, { strict: false }).deleteDue();
      expect(await identitiesOf(person)).toEqual([]);
    });

    it('asks for the account after a removal at the time of a sign-in', async () => {
      for (let round = 0; round < 4; round += 1) {
        const [concurrent, removed] = await Promise.all([signIn(), organization.call('DELETE', member())]);
        expect(removed.status).toBe(204);
        expect([undefined, 'account_exists']).toContain(concurrent['error']);
        await link(person);
      }
    });
  });

  it('is named on the page of sign-in methods, and unlinked there', async () => {
    await signIn();
    const person = await reset();
    const [identity] = await identitiesOf(person);
    expect(identity).toMatchObject({ organization: { id: organization.id, name: 'Lovelace Logistics' } });
    const path = `/api/v1/iam/me/identities/${identity?.id}`;
    expect((await app.call('DELETE', path, undefined, { token: person.token })).status).toBe(204);
    expect((await signIn())['error']).toBe('account_exists');
  });

  it.each([
    ['another connection', (): Promise<LabConnection> => second(), 'ceo'],
    ['a new subject', (): Promise<LabConnection> => Promise.resolve(connection), ulid()],
  ])('signs in by %s to an account that has nothing else', async (_what, by, subject) => {
    const before = await idOf(await signIn());
    expect(await idOf(await signIn(await by(), subject))).toBe(before);
  });

  it('gives a subject who had the address before no way to the account of their successor', async () => {
    const before = await idOf(await signIn(connection, 'first'));
    expect(await idOf(await signIn(connection, 'successor'))).toBe(before);
    const former = `former-ceo@${connection.domain}`;
    expect(await idOf(await signIn(connection, 'first', former))).not.toBe(before);
  });

  it('signs in by another connection to no account with something of its own', async () => {
    await signIn();
    const person = await reset();
    expect((await signIn(await second()))['error']).toBe('account_exists');
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    const another = await Organization.found(app);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [another.id, person.id]);
    expect((await signIn(await second()))['error']).toBe('account_exists');
  });

  it('signs in by another connection to no account with an identity of another provider', async () => {
    const userId = await idOf(await signIn());
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'google_oauth', 'env:google_oauth', 'https://accounts.google.com', $1)",
      [ulid(), userId],
    );
    expect((await signIn(await second()))['error']).toBe('account_exists');
  });

  /** A second connection of the organization, for the same domain. */
  const second = async () => {
    const { id } = await LabConnection.active(organization, samlSettings(lab));
    const by = Object.assign(Object.create(LabConnection.prototype) as LabConnection, connection, { id });
    expect(
      (await by.call('PATCH', '', { domainIds: [await domainId()], provisioning: { justInTime: true } }))
        .status,
    ).toBe(200);
    return by;
  };
});

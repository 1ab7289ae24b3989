import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

describe('Provisioning by a connection', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let connection: LabConnection;
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    a = await Organization.found(app);
    connection = await LabConnection.active(a, samlSettings(lab));
    await a.call('POST', '/roles', { key: 'engineer', name: 'Engineer', scopes: ['iam:member:read'] });
  });

  const provision = async (provisioning: object, items: object[] = []) => {
    expect((await connection.call('PATCH', '', { provisioning })).status).toBe(200);
    expect((await connection.call('PUT', '/rules', { items })).status).toBe(200);
  };
  const signIn = async (subject: string, attributes: Record<string, string> = {}) => {
    const email = attributes['email'] ?? `${subject}@${connection.domain}`;
    const words = { attributes: { email, ...attributes } };
    return (await connection.bring(lab.answer(await connection.start(), subject, { words }))).fragment;
  };
  const claimsOf = (fragment: Record<string, string>) =>
    decodeJwt<{ tid?: string; scope: string; sub: string }>(fragment['access_token'] ?? '');
  const rolesOf = async (userId: string) => {
    const { body } = await a.call('GET', `/members?limit=100`);
    const members = body['items'] as unknown as { userId: string; roles: string[]; source: string }[];
    return members.find((member) => member.userId === userId);
  };
  const subject = () => ulid().toLowerCase();
  const ENGINEERS = { attribute: 'groups', operator: 'equals', value: 'Engineering', roles: ['engineer'] };

  it('adds people of the domain, whose token is for the organization at once', async () => {
    await provision({ justInTime: true, defaultRoles: ['member'] });
    const claims = claimsOf(await signIn(subject()));
    expect(claims.tid).toBe(a.id);
    expect(await rolesOf(claims.sub)).toMatchObject({ roles: ['member'], source: 'connection' });
  });

  it('selects the organization in a session that a code begins as well', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const name = subject();
    const words = { attributes: { email: `${name}@${connection.domain}` } };
    const address = await connection.start({ codeChallenge });
    const { fragment } = await connection.bring(lab.answer(address, name, { words }));
    const { body } = await app.post('external/token', { code: fragment['code'], codeVerifier });
    expect(body['tenantId']).toBe(a.id);
  });

  describe('renames the account that it made', () => {
    beforeAll(() => provision({ justInTime: true, defaultRoles: ['member'] }));
    const nameOf = async (userId: string) =>
      (
        await app.sql<{ name: string | null }>('SELECT first_name AS name FROM accounts WHERE id = $1', [
          userId,
        ])
      )[0]?.name;
    const named = async (who: string, firstName?: string) =>
      claimsOf(await signIn(who, firstName === undefined ? {} : { firstName })).sub;

    it('when the provider sends another first name, with an event that names the connection', async () => {
      const who = subject();
      const id = await named(who, 'Ada');
      for (const name of ['Augusta', 'Augusta', 'Ada']) {
        await named(who, name);
        expect(await nameOf(id)).toBe(name);
      }
      expect(
        await app.sql(
          "SELECT actor_id, data->'changed' AS changed FROM events WHERE type = 'iam.account.updated' AND subject = $1",
          [`iam/accounts/${id}`],
        ),
      ).toEqual(Array(2).fill({ actor_id: connection.id, changed: ['firstName'] }));
    });

    it('when the provider sends another last or display name', async () => {
      const who = subject();
      const partsOf = async (attributes: Record<string, string>) => {
        const { sub } = claimsOf(await signIn(who, attributes));
        return app.sql('SELECT first_name, last_name, display_name FROM accounts WHERE id = $1', [sub]);
      };
      const ada = { firstName: 'Ada', lastName: 'Lovelace' };
      expect(await partsOf({ ...ada, displayName: 'Ada Lovelace' })).toEqual([
        { first_name: 'Ada', last_name: 'Lovelace', display_name: null },
      ]);
      expect(await partsOf({ ...ada, displayName: 'Countess' })).toEqual([
        { first_name: 'Ada', last_name: 'Lovelace', display_name: 'Countess' },
      ]);
      expect(await partsOf({ firstName: 'Ada', sn: 'King' })).toEqual([
        { first_name: 'Ada', last_name: 'King', display_name: null },
      ]);
      expect(await partsOf({})).toEqual([{ first_name: 'Ada', last_name: 'King', display_name: null }]);
      expect(await partsOf(ada)).toEqual([{ first_name: 'Ada', last_name: 'Lovelace', display_name: null }]);
    });

    it('that had no name, and keeps the name where the provider sends none', async () => {
      const who = subject();
      const id = await named(who);
      await named(who, 'Grace');
      await named(who);
      expect(await nameOf(id)).toBe('Grace');
    });

    it('until the person sets another one', async () => {
      const who = subject();
      const id = await named(who, 'Ada');
      await app.sql("UPDATE accounts SET first_name = 'Countess' WHERE id = $1", [id]);
      for (const name of ['Augusta', 'Ada']) {
        await named(who, name);
        expect(await nameOf(id)).toBe('Countess');
      }
    });

    it('once for concurrent sign-ins', async () => {
      const who = subject();
      const id = await named(who, 'Ada');
      await Promise.all(Array.from({ length: 5 }, () => named(who, 'Augusta')));
      expect(await nameOf(id)).toBe('Augusta');
      const events = await app.sql(
        "SELECT 1 FROM events WHERE type = 'iam.account.updated' AND subject = $1",
        [`iam/accounts/${id}`],
      );
      expect(events).toHaveLength(1);
    });

    it('and no other one', async () => {
      const { email, id } = await Person.signUp(app, `${subject()}@${connection.domain}`);
      await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [id]);
      const who = subject();
      const signedIn = claimsOf(await signIn(who, { email, firstName: 'Ada' })).sub;
      expect(signedIn).toBe(id);
      const before = await nameOf(id);
      await signIn(who, { email, firstName: 'Augusta' });
      expect(await nameOf(id)).toBe(before);
    });
  });

  it('adds no person without it', async () => {
    await provision({ justInTime: false });
    expect((await signIn(subject()))['error']).toBe('not_provisioned');
  });

  it('takes a role that is gone at the provider from the token of that sign-in, and no role given by hand', async () => {
    await provision({ justInTime: true, syncRoles: 'every-sign-in' }, [ENGINEERS]);
    const name = subject();
    const first = claimsOf(await signIn(name, { groups: 'Engineering' }));
    expect(first.scope.split(' ')).toContain('iam:member:read');
    expect(await rolesOf(first.sub)).toMatchObject({ roles: ['engineer'] });
    await app.sql(
      "INSERT INTO member_roles (tenant_id, user_id, role_id, source) SELECT tenant_id, $2, id, 'manual' FROM roles WHERE tenant_id = $1 AND key = 'admin'",
      [a.id, first.sub],
    );
    const second = claimsOf(await signIn(name, { groups: 'Sales' }));
    expect((await rolesOf(second.sub))?.roles.toSorted()).toEqual(['admin', 'member']);
  });

  it('changes roles once only, if it says so', async () => {
    await provision({ justInTime: true, syncRoles: 'first-sign-in' }, [ENGINEERS]);
    const name = subject();
    const { sub } = claimsOf(await signIn(name, { groups: 'Engineering' }));
    await signIn(name, { groups: 'Sales' });
    expect(await rolesOf(sub)).toMatchObject({ roles: ['engineer'] });
  });

  it('refuses people to whom no rule applies, and members whom it added, if it says so', async () => {
    await provision({ justInTime: true, onNoMatch: 'refuse', syncRoles: 'every-sign-in' }, [ENGINEERS]);
    expect((await signIn(subject(), { groups: 'Sales' }))['error']).toBe('not_provisioned');
    const name = subject();
    expect((await signIn(name, { groups: 'Engineering' }))['error']).toBeUndefined();
    expect((await signIn(name, { groups: 'Sales' }))['error']).toBe('not_provisioned');
  });

  it('keeps the last owner, and gives the role of an owner only by an owner', async () => {
    const owners = { ...ENGINEERS, roles: ['owner'] };
    const { token } = await a.join('admin');
    const byAdmin = await app.call(
      'PUT',
      `${a.path}/connections/${connection.id}/rules`,
      { items: [owners] },
      { token },
    );
    expect(byAdmin.status).toBe(400);
    await provision({ justInTime: true, onNoMatch: 'default', syncRoles: 'every-sign-in' }, [owners]);
    const name = subject();
    const { sub } = claimsOf(await signIn(name, { groups: 'Engineering' }));
    await app.sql(
      "UPDATE member_roles SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'admin') WHERE tenant_id = $1 AND user_id = $2",
      [a.id, a.owner.person.id],
    );
    await signIn(name, { groups: 'Sales' });
    const [{ roles } = { roles: 0 }] = await app.sql<{ roles: number }>(
      "SELECT count(*)::int AS roles FROM member_roles mr JOIN roles r ON r.id = mr.role_id AND r.tenant_id = mr.tenant_id WHERE mr.user_id = $1 AND r.key = 'owner'",
      [sub],
    );
    expect(roles).toBe(1);
    await app.sql(
      "UPDATE member_roles SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = 'owner') WHERE tenant_id = $1 AND user_id = $2",
      [a.id, a.owner.person.id],
    );
  });

  it('previews what a sign-in would give', async () => {
    await app.sql("SELECT pg_notify('gatehouse_membership_changed', $1)", [`${a.id}:${a.owner.person.id}`]);
    await provision({ justInTime: true, onNoMatch: 'refuse' }, [
      { ...ENGINEERS, operator: 'matches', value: 'Eng*ing' },
    ]);
    const preview = async (values: string[]) =>
      (await connection.call('POST', '/rules/preview', { attributes: [{ name: 'groups', values }] })).body;
    expect(await preview(['Engineering'])).toEqual({ roles: ['engineer'], outcome: 'admitted' });
    expect(await preview(['Engine'])).toEqual({ roles: [], outcome: 'refused' });
  });

  it('links an account that has nothing but this membership, and no other', async () => {
    await provision({ justInTime: true, onNoMatch: 'default' });
    const { person } = await a.join('member');
    await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [
      person.id,
      `known@${connection.domain}`,
    ]);
    expect((await signIn('known'))['error']).toBe('account_exists');
    await app.sql('UPDATE accounts SET password_hash = NULL WHERE id = $1', [person.id]);
    expect(claimsOf(await signIn('known')).sub).toBe(person.id);
  });

  it('is found by the domain or the organization, whether an account exists or not', async () => {
    const ask = async (body: object) => (await app.post('sign-in-options', body)).body;
    const found = {
      password: true,
      passkey: true,
      external: [],
      connection: { id: connection.id, kind: 'saml', name: 'Provider' },
      required: false,
    };
    expect(await ask({ email: `known@${connection.domain}` })).toEqual(found);
    expect(await ask({ email: `unknown@${connection.domain}` })).toEqual(found);
    expect(await ask({ organization: a.id })).toEqual(found);
    const slug = `alpha-${a.id.slice(-8).toLowerCase()}`;
    expect((await a.call('PATCH', '', { slug })).body).toMatchObject({ slug });
    expect(await ask({ organization: slug })).toEqual(found);
    const { connection: _, ...none } = found;
    expect(await ask({ email: 'ada@b.example' })).toEqual(none);
    expect(await ask({})).toEqual(none);
    expect(await ask({ organization: `${slug}-2` })).toEqual(none);
    // Named by an unknown slug, an organization is not found by the address instead.
    expect(await ask({ organization: `${slug}-2`, email: `known@${connection.domain}` })).toEqual(none);
    expect((await app.post('sign-in-options', { organization: slug.toUpperCase() })).status).toBe(400);
    await a.call('PATCH', '', { slug: null });
    expect(await ask({ organization: slug })).toEqual(none);
  });
});

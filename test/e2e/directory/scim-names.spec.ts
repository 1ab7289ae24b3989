import { Organization } from '../../support/organization.js';
import { GROUP_SCHEMA, ScimDirectory, userOf, verifyDomain } from '../../support/scim-directory.js';
import { withApp } from '../../support/test-app.js';
import { ulid } from 'ulid';

describe('A directory that changes people', () => {
  let acme: Organization;
  let directory: ScimDirectory;
  let domain: string;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    directory = await ScimDirectory.create(acme);
  });

  const newAddress = () => `${ulid().toLowerCase()}@${domain}`;
  const named = (givenName: string) => ({ name: { givenName, familyName: 'Lovelace' } });
  const accountOf = async (email: string) => {
    const [account] = await app.sql<{ id: string; name: string | null }>(
      'SELECT id, first_name AS name FROM accounts WHERE email_key = $1',
      [email],
    );
    return account ?? { id: '', name: 'no account' };
  };
  const nameOf = async (email: string) => (await accountOf(email)).name;
  const rename = (id: string, givenName: unknown) =>
    directory.patch(`/Users/${id}`, { op: 'replace', path: 'name.givenName', value: givenName });

  describe('changes the first name of the account that it made', () => {
    it('by PATCH and PUT, with an event that names the directory', async () => {
      const email = newAddress();
      const id = await directory.create(email, named('Ada'));
      expect((await rename(id, 'Augusta')).status).toBe(200);
      expect(await nameOf(email)).toBe('Augusta');
      await directory.call('PUT', `/Users/${id}`, userOf(email, named('Ada')));
      const account = await accountOf(email);
      expect(account.name).toBe('Ada');
      const events = await app.sql(
        "SELECT actor_id, data->'changed' AS changed FROM events WHERE type = 'iam.account.updated' AND subject = $1",
        [`iam/accounts/${account.id}`],
      );
      expect(events).toEqual(Array(2).fill({ actor_id: directory.id, changed: ['firstName'] }));
    });

    it('that had none', async () => {
      const email = newAddress();
      const id = await directory.create(email);
      await directory.patch(`/Users/${id}`, { op: 'replace', value: named('Grace') });
      expect(await nameOf(email)).toBe('Grace');
    });

    it('until the person sets another one', async () => {
      const email = newAddress();
      const id = await directory.create(email, named('Ada'));
      await app.sql("UPDATE accounts SET first_name = 'Countess' WHERE email_key = $1", [email]);
      for (const name of ['Augusta', 'Ada']) {
        expect((await rename(id, name)).status).toBe(200);
        expect(await nameOf(email)).toBe('Countess');
      }
    });

    it('but does not remove it', async () => {
      const email = newAddress();
      const id = await directory.create(email, named('Ada'));
      await directory.patch(`/Users/${id}`, { op: 'remove', path: 'name' });
      expect(await nameOf(email)).toBe('Ada');
    });
  });

  describe('changes last and display name', () => {
    const partsOf = async (email: string) =>
      app.sql('SELECT first_name, last_name, display_name FROM accounts WHERE email_key = $1', [email]);
    const replace = (id: string, value: object) => directory.patch(`/Users/${id}`, { op: 'replace', value });

    it('and returns what was sent', async () => {
      const email = newAddress();
      const id = await directory.create(email, { ...named('Ada'), displayName: 'Countess' });
      expect(await partsOf(email)).toEqual([
        { first_name: 'Ada', last_name: 'Lovelace', display_name: 'Countess' },
      ]);
      await replace(id, { name: { givenName: 'Ada', familyName: 'Byron' }, displayName: 'Ada Byron' });
      expect(await partsOf(email)).toEqual([{ first_name: 'Ada', last_name: 'Byron', display_name: null }]);
      const { body } = await directory.call('GET', `/Users/${id}`);
      expect(body).toMatchObject({ name: { familyName: 'Byron' }, displayName: 'Ada Byron' });
    });

    it('each until the person sets another one', async () => {
      const email = newAddress();
      const id = await directory.create(email, named('Ada'));
      await app.sql("UPDATE accounts SET last_name = 'King' WHERE email_key = $1", [email]);
      await replace(id, { name: { givenName: 'Augusta', familyName: 'Byron' }, displayName: 'Countess' });
      expect(await partsOf(email)).toEqual([
        { first_name: 'Augusta', last_name: 'King', display_name: 'Countess' },
      ]);
    });
  });

  it('leaves the name of an account that it did not make', async () => {
    const own = await ScimDirectory.create(acme);
    const email = newAddress();
    await directory.create(email, named('Ada'));
    const id = await own.create(email, named('Ada'));
    await own.patch(`/Users/${id}`, { op: 'replace', path: 'name.givenName', value: 'Mallory' });
    expect(await nameOf(email)).toBe('Ada');
  });

  describe('swaps the addresses of two people', () => {
    const pair = async () => {
      const [first, second] = [newAddress(), newAddress()];
      const ids = [await directory.create(first), await directory.create(second)] as const;
      return { first, second, ids, before: [await accountOf(first), await accountOf(second)] };
    };

    it('by way of a third address', async () => {
      const { first, second, ids, before } = await pair();
      for (const [id, email] of [
        [ids[0], newAddress()],
        [ids[1], first],
        [ids[0], second],
      ] as const)
        expect((await directory.call('PUT', `/Users/${id}`, userOf(email))).status).toBe(200);
      expect([await accountOf(second), await accountOf(first)]).toEqual(before);
    });

    it('not at once: a name has one holder at a time, and nothing changes', async () => {
      const { first, second, ids, before } = await pair();
      const { body } = await directory.call('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [
          { method: 'PUT', path: `/Users/${ids[0]}`, data: userOf(second) },
          { method: 'PUT', path: `/Users/${ids[1]}`, data: userOf(first) },
        ],
      });
      const statuses = (body['Operations'] as { status: string }[]).map(({ status }) => status);
      expect(statuses).toEqual(['409', '409']);
      expect([await accountOf(first), await accountOf(second)]).toEqual(before);
    });
  });

  it('loses no member by PATCHes of a group that run in parallel', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => directory.create(newAddress())));
    const made = await directory.call('POST', '/Groups', { schemas: [GROUP_SCHEMA], displayName: ulid() });
    const path = `/Groups/${String(made.body['id'])}`;
    const membersOf = async () =>
      ((await directory.call('GET', path)).body['members'] as { value: string }[] | undefined)
        ?.map(({ value }) => value)
        .toSorted() ?? [];
    const patchEach = (some: readonly string[], operation: (id: string) => object) =>
      Promise.all(some.map(async (id) => (await directory.patch(path, operation(id))).status));
    const added = await patchEach(ids, (value) => ({ op: 'add', path: 'members', value: [{ value }] }));
    expect(added).toEqual(Array(12).fill(200));
    expect(await membersOf()).toEqual(ids.toSorted());
    await Promise.all([
      patchEach(ids.slice(0, 6), (id) => ({ op: 'remove', path: `members[value eq "${id}"]` })),
      patchEach(ids.slice(6), (value) => ({ op: 'add', path: 'members', value: [{ value }] })),
    ]);
    expect(await membersOf()).toEqual(ids.slice(6).toSorted());
  });
});

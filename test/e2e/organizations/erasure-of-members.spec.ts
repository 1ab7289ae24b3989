import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { pngOf } from '../../support/images.js';
import { Organization, ownMany, Person, type Member } from '../../support/organization.js';
import { statementsOf, statementsOfTransaction } from '../../support/plans.js';
import { TestApp } from '../../support/test-app.js';

describe('The organizations of an erased person', () => {
  let app: TestApp;
  let ada: Person;
  beforeAll(async () => {
    jest.spyOn(CleanupService.prototype, 'run').mockResolvedValue();
    app = await TestApp.start();
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
  });
  afterAll(() => app.stop());

  const erase = ({ token }: Person) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
  const archive = (organization: Organization, { token }: Member) =>
    organization.call('POST', '/archive', undefined, token);
  const trailOf = async ({ id }: Organization) => {
    const events = await app.sql<{ action: string; subject: string }>(
      'SELECT action, subject FROM audit_events WHERE tenant_id = $1 AND account_id = $2 ORDER BY id',
      [id, ada.id],
    );
    const after = events.findIndex(({ action }) => action === 'tenant.created') + 1;
    return events
      .slice(after)
      .filter(({ action }) => action !== 'invitation.created')
      .map(({ action, subject }) => `${action} ${subject}`);
  };

  it('keep no look without a member', async () => {
    const [deserted, shared] = [await Organization.found(app, ada), await Organization.found(app, ada)];
    await shared.join('admin');
    const brand = async (organization: Organization) => {
      const look = { displayName: 'Ada and Daughters', logo: pngOf().toString('base64') };
      const { body } = await organization.call('PUT', '/branding', look);
      return new URL(String(body['logoUrl']), app.url);
    };
    const [ofDeserted, ofShared] = [await brand(deserted), await brand(shared)];
    expect((await erase(ada)).status).toBe(204);
    const kept = 'SELECT display_name AS "displayName" FROM brandings WHERE tenant_id = $1';
    expect(await app.sql(kept, [deserted.id])).toEqual([]);
    expect(await app.sql(kept, [shared.id])).toEqual([{ displayName: 'Ada and Daughters' }]);
    expect([(await fetch(ofDeserted)).status, (await fetch(ofShared)).status]).toEqual([404, 200]);
  });

  it('get a new owner each, with an audit event and updated caches', async () => {
    const alone = await Organization.found(app, ada);
    await app.sql(
      "UPDATE tenants SET slug = lower(id), former_slugs = '{ada}', created_at = now() - interval '31 days' WHERE id = $1",
      [alone.id],
    );
    const followed = await Organization.found(app, ada);
    const [admin, younger] = [await followed.join('admin'), await followed.join('admin')];
    const orphaned = await Organization.found(app, ada);
    const member = await orphaned.join('member');
    const shared = await Organization.found(app, ada);
    const owner = await shared.join('owner');
    const foreign = await Organization.found(app);
    await foreign.admit(ada, 'admin');
    // The caches have everyone's scopes from here on.
    for (const someone of [admin, younger]) expect((await archive(followed, someone)).status).toBe(403);
    expect((await archive(orphaned, member)).status).toBe(403);

    expect((await erase(ada)).status).toBe(204);
    const erased = `member.erased iam/members/${ada.id}`;
    expect(await trailOf(alone)).toEqual([`tenant.archived iam/tenants/${alone.id}`, erased]);
    expect(await trailOf(followed)).toEqual([`member.became-owner iam/members/${admin.person.id}`, erased]);
    expect(await trailOf(orphaned)).toEqual([`tenant.archived iam/tenants/${orphaned.id}`, erased]);
    expect(await trailOf(shared)).toEqual([erased]);
    expect((await trailOf(foreign)).at(-1)).toBe(erased);
    expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [ada.id])).toEqual([]);
    expect(await app.sql('SELECT name, slug, former_slugs FROM tenants WHERE id = $1', [alone.id])).toEqual([
      { name: alone.id, slug: null, former_slugs: [] },
    ]);
    expect((await foreign.call('PATCH', '', { slug: 'ada' })).status).toBe(409);
    expect((await app.get(orphaned.path, member.token)).body).toMatchObject({
      name: 'Lovelace Logistics',
      status: 'archived',
    });
    expect((await app.get(shared.path, owner.token)).body).toMatchObject({ status: 'active' });
    expect((await app.get(foreign.path, foreign.owner.token)).body).toMatchObject({ status: 'active' });
    expect((await archive(followed, younger)).status).toBe(403);
    expect((await archive(followed, admin)).status).toBe(200);
  });

  it('go to an admin who can sign in, and to a suspended admin only without another one', async () => {
    const followed = await Organization.found(app, ada);
    const [longest, other] = [await followed.join('admin'), await followed.join('admin')];
    const stranded = await Organization.found(app, ada);
    await stranded.admit(longest.person, 'admin');
    await app.command('account:suspend', '--account', longest.person.id);
    expect((await erase(ada)).status).toBe(204);
    const heir = (id: string) => `member.became-owner iam/members/${id}`;
    expect(await trailOf(followed)).toContain(heir(other.person.id));
    expect(await trailOf(stranded)).toContain(heir(longest.person.id));
  });

  it('take as many statements for a hundred as for one', async () => {
    const asked = async (count: number): Promise<number> => {
      const person = await Person.signUp(app);
      await ownMany(person, count);
      const statements = await statementsOfTransaction(() => erase(person), /FROM tenants .*FOR UPDATE/);
      const tenants = await app.sql('SELECT 1 FROM audit_events WHERE account_id = $1 AND action = $2', [
        person.id,
        'tenant.archived',
      ]);
      expect(tenants).toHaveLength(count);
      return statements.length;
    };
    const ofOne = await asked(1);
    expect(ofOne).toBeGreaterThan(10);
    expect(await asked(100)).toBe(ofOne);
  });

  it('are locked before sessions, in the lock order', async () => {
    await ownMany(ada, 2);
    const statements = (await statementsOf(() => erase(ada))).map(([sql]) => sql);
    const tenants = statements.findIndex((sql) => /FROM tenants .*FOR UPDATE/.test(sql));
    const sessions = statements.findIndex((sql) => /FROM sessions .*FOR (NO KEY )?UPDATE/s.test(sql));
    expect(tenants).toBeGreaterThan(-1);
    expect(sessions).toBeGreaterThan(tenants);
  });

  it('are left in one transaction, even a thousand of them', async () => {
    await ownMany(ada, 1_000);
    expect((await erase(ada)).status).toBe(204);
    expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [ada.id])).toEqual([]);
    const left = await app.sql(
      "SELECT 1 FROM tenants WHERE archived_at IS NOT NULL AND name = id AND id LIKE substr($1, 10) || '%'",
      [ada.id],
    );
    expect(left).toHaveLength(1_000);
  });
});

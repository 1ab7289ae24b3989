import { AuditTrail } from '../../../src/iam/index.js';
import type { UserId } from '../../../src/kernel/principal.js';
import { firstIdAt, newId } from '../../../src/kernel/index.js';
import { type Member, Organization } from '../../support/organization.js';
import { itemsOf, type Answer, withApp } from '../../support/test-app.js';

interface Event {
  readonly action: string;
  readonly actorId: string;
  readonly subject: string | null;
  readonly tenantId: string | null;
}

describe('The audit trail', () => {
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const actions = (answer: Answer) => itemsOf<Event>(answer).map(({ action }) => action);

  it('lists what was done in an organization, newest first, and stores ids only', async () => {
    const member = await organization.join('member');
    await organization.call('PATCH', '', { name: 'New name' });
    const role = await organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [] });
    await organization.call('DELETE', `/members/${member.person.id}`);
    const trail = await organization.call('GET', '/audit-events');
    expect(actions(trail)).toEqual([
      'member.removed',
      'role.created',
      'tenant.renamed',
      'invitation.accepted',
      'member.joined',
      'invitation.created',
      'tenant.created',
    ]);
    expect(itemsOf<Event>(trail)[1]).toMatchObject({
      actorId: organization.owner.person.id,
      tenantId: organization.id,
      subject: `iam/roles/${String(role.body['id'])}`,
    });
    const stored = await app.sql('SELECT * FROM audit_events WHERE tenant_id = $1', [organization.id]);
    const text = JSON.stringify(stored);
    for (const personal of [member.person.email, 'Ada', 'New name', 'Clerk'])
      expect(text).not.toContain(personal);
  });

  describe('with filters', () => {
    let admin: Member;
    let roleId: string;
    const list = async (query: string) => actions(await organization.call('GET', `/audit-events?${query}`));
    beforeAll(async () => {
      admin = await organization.join('admin');
      const role = { key: 'packer', name: 'Packer', scopes: [] };
      roleId = String((await organization.call('POST', '/roles', role, admin.token)).body['id']);
      await organization.call('PATCH', `/roles/${roleId}`, { name: 'Picker' });
    });

    it('lists one action, what one person did, what happened to one thing, and all of it together', async () => {
      expect(await list('action=role.updated')).toEqual(['role.updated']);
      expect(await list(`actorId=${admin.person.id}`)).toEqual([
        'role.created',
        'invitation.accepted',
        'member.joined',
      ]);
      expect(await list(`subject=iam/roles/${roleId}`)).toEqual(['role.updated', 'role.created']);
      expect(await list(`subject=iam/roles/${roleId}&actorId=${admin.person.id}`)).toEqual(['role.created']);
      expect(await list(`action=role.deleted&subject=iam/roles/${roleId}`)).toEqual([]);
    });

    it('lists a period, with its beginning and without its end, by the times of the events', async () => {
      const { body } = await organization.call('GET', '/audit-events?action=role.updated');
      const [{ createdAt } = { createdAt: '' }] = body['items'] as unknown as { createdAt: string }[];
      const later = new Date(Date.parse(createdAt) + 1).toISOString();
      expect(await list(`action=role.updated&from=${createdAt}&to=${later}`)).toEqual(['role.updated']);
      expect(await list(`action=role.updated&to=${createdAt}`)).toEqual([]);
      expect(await list(`action=role.updated&from=${later}`)).toEqual([]);
      const mine = (query: string) =>
        app.get(`/api/v1/iam/me/audit-events?${query}`, admin.person.token).then(actions);
      expect(await mine('to=2020-01-01T00:00:00Z')).toEqual([]);
      expect(await mine('from=1960-01-01T00:00:00Z')).toContain('account.created');
      expect(await mine(`from=${new Date(Date.now() + 1_000).toISOString()}`)).toEqual([]);
    });

    it.each(['12:04', '11:56'])(
      "goes by the database's time where the clock of the replica said %s",
      async (clock) => {
        const action = `test.skewed-${clock === '12:04' ? 'ahead' : 'behind'}`;
        await app.sql(
          `INSERT INTO audit_events (id, account_id, tenant_id, action, created_at)
           VALUES ($1, $2, $3, $4, '2026-01-01T12:00:00Z')`,
          [firstIdAt(Date.parse(`2026-01-01T${clock}:00Z`)), newId(), organization.id, action],
        );
        const period = (from: string, to: string) =>
          list(`action=${action}&from=2026-01-01T${from}Z&to=2026-01-01T${to}Z`);
        expect(await period('12:00:00', '12:00:01')).toEqual([action]);
        expect(await period('11:59:59', '12:00:00')).toEqual([]);
      },
    );

    it('continues on the next page', async () => {
      const all = await list('');
      const first = await organization.call('GET', `/audit-events?actorId=${admin.person.id}&limit=2`);
      const cursor = String(first.body['nextCursor']);
      const next = await organization.call(
        'GET',
        `/audit-events?actorId=${admin.person.id}&limit=2&cursor=${cursor}`,
      );
      expect([...actions(first), ...actions(next)]).toEqual(await list(`actorId=${admin.person.id}`));
      expect(all.length).toBeGreaterThan(4);
    });

    it.each([
      ['action=Role', 'action'],
      ['actorId=ada', 'actorId'],
      ['subject=roles', 'subject'],
      ['from=yesterday', 'from'],
      ['to=2026-02-30T00:00:00Z', 'to'],
      ['action=a.b&action=c.d', 'action'],
    ])('refuses %s', async (query, propertyPath) => {
      const { status, body } = await organization.call('GET', `/audit-events?${query}`);
      expect([
        status,
        (body['violations'] as unknown as { propertyPath: string }[])[0]?.propertyPath,
      ]).toEqual([400, propertyPath]);
    });

    it('finds nothing of another organization', async () => {
      const other = await Organization.found(app);
      const seen = await other.call('GET', `/audit-events?subject=iam/roles/${roleId}`);
      expect(actions(seen)).toEqual([]);
    });
  });

  it('keeps the order of events of the same millisecond', async () => {
    const { person } = await Organization.found(app).then(({ owner }) => owner);
    const trail = app.app.get(AuditTrail, { strict: false });
    const written = Array.from(
      { length: 50 },
      (_, n) => `test.happened-${'abcdefghij'[Math.floor(n / 10)]}${'abcdefghij'[n % 10]}`,
    );
    await Promise.all(written.map((action) => trail.record({ actorId: person.id as UserId, action })));
    const mine = await app.get('/api/v1/iam/me/audit-events?limit=50', person.token);
    expect(actions(mine).toReversed()).toEqual(written);
  });

  it('lists for each person the events of their account', async () => {
    const { person } = organization.owner;
    await app.call(
      'PUT',
      '/api/v1/iam/me/password',
      { currentPassword: person.password, newPassword: 'a-new-harbour-7' },
      { token: person.token },
    );
    const mine = await app.get('/api/v1/iam/me/audit-events', person.token);
    expect(actions(mine)).toEqual(expect.arrayContaining(['session.started', 'account.password-changed']));
    expect(actions(mine).at(-1)).toBe('account.created');
  });

  it('requires the scope to read it', async () => {
    const member = await organization.join('member');
    const answer = await organization.call('GET', '/audit-events', undefined, member.token);
    expect(answer).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
  });

  it.each(["UPDATE audit_events SET action = 'x'", 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
    'cannot be changed: %s',
    async (sql) => {
      await expect(app.sql(sql)).rejects.toThrow('The audit trail is append-only.');
    },
  );
});

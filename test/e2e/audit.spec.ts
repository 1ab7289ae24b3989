import { AuditTrail } from '../../src/iam/index.js';
import type { UserId } from '../../src/kernel/principal.js';
import { Organization } from '../support/organization.js';
import { itemsOf, TestApp, type Answer } from '../support/test-app.js';

interface Event {
  readonly action: string;
  readonly actorId: string;
  readonly subject: string | null;
  readonly tenantId: string | null;
}

describe('The audit trail', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.start();
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const actions = (answer: Answer) => itemsOf<Event>(answer).map(({ action }) => action);

  it('lists what was done in an organization, newest first, with ids only', async () => {
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
    const text = JSON.stringify(trail.body);
    for (const personal of [member.person.email, 'Ada', 'New name', 'Clerk'])
      expect(text).not.toContain(personal);
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

import { OperatorService } from '../../../src/iam/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { type Member, Organization } from '../../support/organization.js';
import { type Answer, itemsOf, withApp } from '../../support/test-app.js';

describe('A search of the audit trail', () => {
  let organization: Organization;
  let grace: Member;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
    grace = await organization.join('admin');
    const names = { firstName: 'Grace', lastName: 'Hopper' };
    await app.call('PATCH', '/api/v1/iam/me', names, { token: grace.person.token });
    await organization.call('POST', '/roles', { key: 'mine', name: 'Mine', scopes: [] });
    const { body } = await organization.call(
      'POST',
      '/roles',
      { key: 'hers', name: 'Hers', scopes: [] },
      grace.token,
    );
    await organization.call('PATCH', `/roles/${String(body['id'])}`, { name: 'Theirs' });
    await organization.call('POST', `/members/${grace.person.id}/suspend`);
    await organization.call('POST', `/members/${grace.person.id}/restore`);
  });

  const actions = (answer: Answer) => itemsOf<{ action: string }>(answer).map(({ action }) => action);
  const list = async (query: string) => actions(await organization.call('GET', `/audit-events?${query}`));

  it('lists what people did, and what was done to them, by a part of their names', async () => {
    expect(await list('query=race+HOP')).toEqual([
      'member.restored',
      'member.suspended',
      'role.created',
      'invitation.accepted',
      'member.joined',
    ]);
    expect(await list('query=race&group=role')).toEqual(['role.created']);
    expect(await list('query=unheard-of')).toEqual([]);
  });

  it('lists the events of one person', async () => {
    expect(await list(`personId=${grace.person.id}&group=member`)).toEqual([
      'member.restored',
      'member.suspended',
      'member.joined',
    ]);
    const other = await Organization.found(app);
    expect(actions(await other.call('GET', `/audit-events?personId=${grace.person.id}`))).toEqual([]);
  });

  it('lists a group of actions, page by page', async () => {
    const all = ['role.updated', 'role.created', 'role.created'];
    expect(await list('group=role')).toEqual(all);
    const first = await organization.call('GET', '/audit-events?group=role&limit=2');
    const rest = await list(`group=role&limit=2&cursor=${String(first.body['nextCursor'])}`);
    expect([...actions(first), ...rest]).toEqual(all);
    expect(await list(`group=role&actorId=${grace.person.id}`)).toEqual(['role.created']);
    expect(await list('group=role&action=role.updated')).toEqual(['role.updated']);
    expect(await list('group=rol')).toEqual([]);
  });

  it('by names is for callers who may list members', async () => {
    await organization.call('POST', '/roles', {
      key: 'auditor',
      name: 'Auditor',
      scopes: ['iam:audit:read'],
    });
    const auditor = await organization.join('auditor');
    const seen = await organization.call('GET', '/audit-events?query=grace', undefined, auditor.token);
    expect(seen).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'query' }] } });
  });

  it('finds no people of another organization', async () => {
    const other = await Organization.found(app);
    expect(actions(await other.call('GET', '/audit-events?query=hopper'))).toEqual([]);
  });

  it('is of the whole platform for operators, and narrows a group', async () => {
    const { person } = await organization.join('member');
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    const token = byTwoFactors(app, person.token);
    const search = (query: string) => app.get(`/api/v1/operator/audit-events?${query}`, token);
    expect(actions(await search('query=hopper&group=member'))).toEqual([
      'member.restored',
      'member.suspended',
      'member.joined',
    ]);
    expect((await search('group=member')).status).toBe(400);
    const [updated] = itemsOf<Record<string, unknown>>(
      await search(`action=role.updated&tenantId=${organization.id}`),
    );
    expect(updated).toMatchObject({ actorName: 'Ada', subjectName: 'Theirs' });
  });
});

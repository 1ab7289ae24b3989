import { SuspensionService } from '../../../src/iam/index.js';
import { signedInAgo } from '../../support/aged.js';
import { roundsOf } from '../../support/long.js';
import { Organization, type Member } from '../../support/organization.js';
import { itemsOf, type Answer, withApp } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 3, long: 10 });

describe('The transfer of ownership', () => {
  const app = withApp();

  const transfer = (
    organization: Organization,
    to: Member,
    { token, ...more }: { keepRoles?: string[]; token?: string } = {},
  ): Promise<Answer> =>
    organization.call('POST', '/ownership-transfer', { userId: to.person.id, ...more }, token);
  const rolesIn = async ({ id }: Organization): Promise<Record<string, string[]>> => {
    const rows = await app.sql<{ id: string; roles: string[] }>(
      'SELECT mr.user_id AS id, array_agg(r.key ORDER BY r.key) AS roles FROM member_roles mr JOIN roles r ON r.tenant_id = mr.tenant_id AND r.id = mr.role_id WHERE mr.tenant_id = $1 GROUP BY 1',
      [id],
    );
    return Object.fromEntries(rows.map((row) => [row.id, row.roles]));
  };
  const ownersIn = async (organization: Organization) =>
    Object.entries(await rolesIn(organization)).flatMap(([id, roles]) =>
      roles.includes('owner') ? [id] : [],
    );

  it('gives the role and takes it in one step, tells both and is in the audit trail', async () => {
    const organization = await Organization.found(app);
    const { owner } = organization;
    const ada = await organization.join('admin');
    await app.call('PATCH', '/api/v1/iam/me', { locale: 'de' }, { token: ada.person.token });
    const told = await Promise.all(
      [owner, ada].map(async ({ person }) => (await app.mails(person.email)).length),
    );
    const { status, body } = await transfer(organization, ada);
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: ada.person.id, roles: ['admin', 'owner'] });
    expect(await rolesIn(organization)).toEqual({
      [ada.person.id]: ['admin', 'owner'],
      [owner.person.id]: ['member'],
    });
    expect((await app.mails(owner.person.email, told[0]! + 1)).at(-1)).toContain(
      'You have transferred an organization',
    );
    expect((await app.mails(ada.person.email, told[1]! + 1)).at(-1)).toContain(
      'Sie sind Inhaber einer Organisation',
    );
    const [event] = itemsOf(await organization.call('GET', '/audit-events', undefined, ada.token));
    expect(event).toMatchObject({
      action: 'tenant.ownership-transferred',
      actorId: owner.person.id,
      subject: `iam/members/${ada.person.id}`,
    });
    expect(await transfer(organization, ada)).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held' },
    });
    expect((await organization.call('POST', '/archive', undefined, ada.token)).status).toBe(200);
  });

  it('keeps the roles that the caller names, or else the other ones', async () => {
    const organization = await Organization.found(app);
    const { owner } = organization;
    const ada = await organization.join('member');
    expect((await transfer(organization, ada, { keepRoles: ['admin', 'owner'] })).body).toMatchObject({
      violations: [{ propertyPath: 'keepRoles[1]' }],
    });
    expect((await transfer(organization, ada, { keepRoles: ['admin', 'clerk'] })).body).toMatchObject({
      violations: [{ propertyPath: 'keepRoles[1]' }],
    });
    expect((await transfer(organization, ada, { keepRoles: [] })).status).toBe(400);
    expect(await ownersIn(organization)).toEqual([owner.person.id]);
    expect((await transfer(organization, ada, { keepRoles: ['admin'] })).status).toBe(200);
    expect(await rolesIn(organization)).toEqual({
      [owner.person.id]: ['admin'],
      [ada.person.id]: ['member', 'owner'],
    });
    expect((await transfer(organization, owner, { token: ada.token })).status).toBe(200);
    expect(await rolesIn(organization)).toEqual({
      [owner.person.id]: ['admin', 'owner'],
      [ada.person.id]: ['member'],
    });
  });

  it('refuses the caller, strangers and suspended members', async () => {
    const organization = await Organization.found(app);
    const ada = await organization.join('member');
    const stranger = (await Organization.found(app)).owner;
    await app.app.get(SuspensionService, { strict: false }).suspend(ada.person.id as never);
    for (const to of [organization.owner, stranger, ada])
      expect((await transfer(organization, to)).body).toMatchObject({
        type: '/errors/validation-error',
        violations: [{ propertyPath: 'userId' }],
      });
    expect(await ownersIn(organization)).toEqual([organization.owner.person.id]);
  });

  it('requires an owner, not a role with the same permission, and a recent sign-in', async () => {
    const organization = await Organization.found(app);
    const scopes = ['iam:tenant:transfer-ownership'];
    await organization.call('POST', '/roles', { key: 'heir', name: 'Heir', scopes });
    const heir = await organization.join('heir');
    const ada = await organization.join('member');
    expect(await transfer(organization, ada, { token: heir.token })).toMatchObject({
      status: 403,
      body: { code: 'state_forbids', detail: 'Only an owner can transfer the ownership.' },
    });
    const { accessToken } = await signedInAgo(app, organization.owner.person);
    expect(await transfer(organization, ada, { token: accessToken })).toMatchObject({
      status: 401,
      body: { code: 'authentication_insufficient' },
    });
    await organization.call('POST', '/archive');
    expect((await transfer(organization, ada)).body).toMatchObject({
      detail: 'The organization is archived. Restore it first.',
    });
  });

  it('happens once of two at a time', async () => {
    const organization = await Organization.found(app);
    const [ada, bob] = [await organization.join('member'), await organization.join('member')];
    let from = organization.owner;
    for (let round = 0; round < ROUNDS; round += 1) {
      const others = [organization.owner, ada, bob].filter((member) => member !== from);
      const answers = await Promise.all(
        others.map((to) => transfer(organization, to, { token: from.token })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      const next = others[answers.findIndex(({ status }) => status === 200)]!;
      expect(await ownersIn(organization)).toEqual([next.person.id]);
      from = next;
    }
  });

  it.each<[string, (organization: Organization, to: Member) => Promise<unknown>]>([
    [
      'the removal of the member',
      (organization, { person }) => organization.call('DELETE', `/members/${person.id}`),
    ],
    ['their leaving', (organization, { token }) => organization.call('POST', '/leave', undefined, token)],
    [
      'their erasure',
      (_, { person }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token }),
    ],
    [
      'their suspension',
      (_, { person }) => app.app.get(SuspensionService, { strict: false }).suspend(person.id as never),
    ],
  ])('leaves an owner beside %s', async (_, happen) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const organization = await Organization.found(app);
      const ada = await organization.join('member');
      await organization.join('admin');
      const [answer] = await Promise.all([transfer(organization, ada), happen(organization, ada)]);
      expect([200, 400]).toContain(answer.status);
      const owners = await ownersIn(organization);
      expect(owners).toHaveLength(1);
      const roles = await rolesIn(organization);
      expect(roles[organization.owner.person.id]).toEqual(answer.status === 200 ? ['member'] : ['owner']);
    }
  });
});

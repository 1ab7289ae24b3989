import { ulid } from 'ulid';
import { AccessExpiry } from '../../../src/iam/organizations/ends/access-expiry.js';
import { OperatorService } from '../../../src/iam/index.js';
import { byTwoFactors } from '../../support/factors.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const CANCEL = 'freight:order:cancel';
const READ = 'iam:tenant:read';
const OF_OTHERS = {
  decision: false,
  context: { error: { status: 403, message: 'The subject is not the caller.' } },
};
const NAMES_PARENTS = {
  decision: false,
  context: {
    error: { status: 403, message: 'context.parents is for service accounts with access:thing:read.' },
  },
};
const DENIED = { decision: false, context: { code: 'scope_not_held' } };

/** Service accounts ask by AuthZEN what other subjects may do, and who may do something. */
describe('AuthZEN about others', () => {
  let operator: string;
  let organization: Organization;
  let clerk: Member;
  /** Key of a service account that may ask. */
  let asker: string;
  const app = withApp();
  beforeAll(async () => {
    const person = await Person.signUp(app);
    await app.app.get(OperatorService, { strict: false }).grant(person.email, 'admin');
    operator = await byTwoFactors(app, person.token);
    const freight = { title: 'Freight', permissions: [{ scope: CANCEL, title: 'Cancel', roles: [] }] };
    await app.call('PUT', '/api/v1/iam/permissions/freight', freight, { token: operator });
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
    await organization.call('POST', '/roles', { key: 'clerk', name: 'Clerk', scopes: [CANCEL] });
    const scopes = ['access:decision:read', 'access:thing:read'];
    await organization.call('POST', '/roles', { key: 'asker', name: 'Asker', scopes });
    await organization.call('POST', '/roles', {
      key: 'curious',
      name: 'Curious',
      scopes: scopes.slice(0, 1),
    });
    clerk = await organization.join('member');
    asker = await keyOf('asker');
  });

  const keyOf = async (role: string, of = organization): Promise<string> => {
    const account = await of.call('POST', '/service-accounts', { name: role, roles: [role] });
    const key = await of.call('POST', `/service-accounts/${String(account.body['id'])}/keys`, { name: role });
    expect(key.status).toBe(201);
    return String(key.body['key']);
  };
  const order = () => ({ type: 'freight/orders', id: ulid() });
  const depot = () => `gatehouse:///freight/depots/${ulid()}`;
  const assign = async (on: string, member = clerk, more: object = {}) => {
    const body = { role: 'clerk', on, ...more };
    const { status, body: made } = await organization.call(
      'POST',
      `/members/${member.person.id}/assignments`,
      body,
    );
    expect(status).toBe(201);
    return String(made['id']);
  };
  const question = (resource: object, more: object = {}) => ({
    subject: { type: 'user', id: clerk.person.id },
    action: { name: CANCEL },
    resource,
    ...more,
  });
  const ask = async (body: object, token = asker) =>
    (await app.call('POST', '/access/v1/evaluation', body, { token })).body;
  const search = (body: object, token = asker) =>
    app.call(
      'POST',
      '/access/v1/search/subject',
      { subject: { type: 'user' }, action: { name: CANCEL }, ...body },
      { token },
    );
  const pages = async (resource: object, limit: number, more: object = {}): Promise<string[]> => {
    const found: string[] = [];
    let token = '';
    do {
      const answer = await search({ resource, page: { limit, ...(token !== '' && { token }) }, ...more });
      expect(answer.status).toBe(200);
      const results = answer.body['results'] as unknown as { id: string; type: string }[];
      expect(results.length).toBeLessThanOrEqual(limit);
      expect(results.every(({ type }) => type === 'user')).toBe(true);
      found.push(...results.map(({ id }) => id));
      token = (answer.body['page'] as unknown as { next_token: string }).next_token;
    } while (token !== '');
    return found;
  };

  it('is for service accounts that hold the scope, and no people', async () => {
    const one = order();
    expect(await ask(question(one))).toMatchObject(DENIED);
    await assign(`gatehouse:///freight/orders/${one.id}`);
    expect(await ask(question(one))).toEqual({ decision: true });
    expect(await ask(question(one), organization.owner.token)).toEqual(OF_OTHERS);
    expect(await ask(question(one), await keyOf('member'))).toEqual(OF_OTHERS);
    const account = await organization.call('POST', '/service-accounts', { name: 'Clerk', roles: ['clerk'] });
    const ofAccount = { subject: { type: 'service_account', id: account.body['id'] } };
    expect(await ask(question(order(), ofAccount))).toEqual({ decision: true });
    expect(await ask(question(order(), { subject: { type: 'group', id: clerk.person.id } }))).toMatchObject(
      DENIED,
    );
  });

  it('decides about members of the own organization only, and not about their accounts', async () => {
    const other = await Organization.found(app);
    const tenant = { type: 'iam/tenants', id: organization.id };
    const about = (id: string, name = READ) =>
      ask({ subject: { type: 'user', id }, action: { name }, resource: tenant });
    expect(await about(organization.owner.person.id, 'iam:tenant:archive')).toEqual({ decision: true });
    expect(await about(clerk.person.id)).toEqual({ decision: true });
    expect(await about(clerk.person.id, 'iam:tenant:archive')).toMatchObject(DENIED);
    for (const stranger of [other.owner.person.id, ulid(), 'x'])
      expect(await about(stranger)).toMatchObject(DENIED);
    const ofOther = { type: 'iam/tenants', id: other.id };
    expect(
      await ask({
        subject: { type: 'user', id: other.owner.person.id },
        action: { name: READ },
        resource: ofOther,
      }),
    ).toMatchObject(DENIED);
    for (const name of ['platform:person:read', 'iam:session:read', 'iam:session:end'])
      expect(await about(clerk.person.id, name)).toMatchObject({ decision: false });
    const session = { type: 'iam/sessions', id: clerk.person.sessionId };
    const endsSession = { ...question(session), action: { name: 'iam:session:end' } };
    expect(await ask(endsSession, clerk.token)).toEqual({ decision: true });
    expect(await ask(endsSession)).toMatchObject(DENIED);
    await organization.call('POST', `/members/${clerk.person.id}/suspend`);
    expect(await about(clerk.person.id)).toMatchObject(DENIED);
    await organization.call('POST', `/members/${clerk.person.id}/restore`);
    await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [clerk.person.id]);
    expect(await about(clerk.person.id)).toMatchObject(DENIED);
  });

  it('answers for a sign-in that the organization accepts', async () => {
    await assign(depot());
    const policy = { secondFactor: 'required', graceDays: 0, sessionMaxHours: 1 };
    await app.sql('UPDATE tenants SET sign_in_policy = $2 WHERE id = $1', [organization.id, policy]);
    const tenant = { type: 'iam/tenants', id: organization.id };
    expect(await ask({ ...question(tenant), action: { name: READ } })).toEqual({ decision: true });
  });

  it('takes what a thing is a part of from who may read things, for that question only', async () => {
    const [one, above] = [order(), depot()];
    await assign(above);
    expect(await ask(question(one, { context: { parents: [above] } }))).toEqual({ decision: true });
    expect(await ask(question(one, { context: { time: 'now' } }))).toMatchObject(DENIED);
    const { body } = await app.call(
      'POST',
      '/access/v1/evaluations',
      {
        ...question(one),
        evaluations: [
          { context: { parents: [depot()] } },
          { context: { parents: [above] } },
          { context: { parents: [] } },
          {},
        ],
      },
      { token: asker },
    );
    const answers = body['evaluations'] as unknown as { decision: boolean }[];
    expect(answers.map(({ decision }) => decision)).toEqual([false, true, false, false]);
    // What is registered above a named parent counts too.
    const middle = depot();
    await organization.call('PUT', `/things/${middle.slice('gatehouse:///'.length)}`, { parents: [above] });
    expect(await ask(question(one, { context: { parents: [middle] } }))).toEqual({ decision: true });
    expect(await ask(question(one, { context: { parents: [above] } }), await keyOf('curious'))).toEqual(
      NAMES_PARENTS,
    );
    const own = {
      subject: { type: 'user', id: organization.owner.person.id },
      context: { parents: [above] },
    };
    expect(await ask(question(one, own), organization.owner.token)).toEqual(NAMES_PARENTS);
    // Entities of this service are parts of what their policies say.
    const role = { type: 'iam/tenants', id: organization.id };
    const named = {
      ...question(role, { context: { parents: [above] } }),
      action: { name: 'iam:tenant:update' },
    };
    await organization.call('POST', '/roles', { key: 'renamer', name: 'R', scopes: ['iam:tenant:update'] });
    await organization.call('POST', `/members/${clerk.person.id}/assignments`, {
      role: 'renamer',
      on: above,
    });
    expect(await ask(named)).toMatchObject(DENIED);
  });

  it('is asked by the platform about anyone, with the organization', async () => {
    const named = ['--name', 'Gateway'];
    const account = await app.command('platform-account:create', ...named, '--role', 'admin');
    const id = (account as { serviceAccountId: string }).serviceAccountId;
    const made = await app.command('platform-key:create', '--service-account', id, ...named);
    const token = (made as { key: string }).key;
    const one = order();
    await assign(`gatehouse:///freight/orders/${one.id}`);
    const context = { tenantId: organization.id };
    expect(await ask(question(one, { context }), token)).toEqual({ decision: true });
    expect(
      await ask(question(one, { context: { tenantId: (await Organization.found(app)).id } }), token),
    ).toMatchObject(DENIED);
    expect(await ask(question(one), token)).toMatchObject({
      violations: [{ propertyPath: 'context.tenantId' }],
    });
    const ids = [organization.owner, clerk].map(({ person }) => person.id).toSorted();
    const all = ids.map((found) => ({ type: 'user', id: found }));
    expect((await search({ resource: one, context }, token)).body['results']).toEqual(all);
  });

  describe('in a search for subjects', () => {
    it('finds who may, in pages in order of id, and no other member', async () => {
      const [one, above] = [order(), depot()];
      await organization.call('PUT', `/things/freight/orders/${one.id}`, { parents: [above] });
      const everywhere = await organization.join('clerk');
      const onThing = await organization.join('member');
      const onParent = await organization.join('member');
      const ended = await organization.join('member');
      const suspended = await organization.join('clerk');
      await organization.join('member');
      await assign(`gatehouse:///freight/orders/${one.id}`, onThing);
      await assign(above, onParent);
      await assign(above, everywhere);
      const gone = await assign(above, ended, { until: new Date(Date.now() + 3_600_000).toISOString() });
      await app.sql("UPDATE role_assignments SET until = now() - interval '1 second' WHERE id = $1", [gone]);
      await organization.call('POST', `/members/${suspended.person.id}/suspend`);
      const all = [organization.owner, everywhere, onThing, onParent]
        .map(({ person }) => person.id)
        .toSorted();
      for (const limit of [1, 2, 3, 4, 100]) expect(await pages(one, limit)).toEqual(all);
      expect(await pages(order(), 100)).toEqual(
        [organization.owner, everywhere].map(({ person }) => person.id).toSorted(),
      );
      expect(await pages(order(), 2, { context: { parents: [above] } })).toEqual(
        [organization.owner, everywhere, onParent].map(({ person }) => person.id).toSorted(),
      );
      await app.app.get(AccessExpiry, { strict: false }).removeEndedAssignments();
      for (const { id } of [...all].map((id) => ({ id })))
        expect(await ask(question(one, { subject: { type: 'user', id } }))).toEqual({ decision: true });
    });

    it('refuses by the state of the entity, and what does not exist', async () => {
      const { id } = await invited();
      const resource = { type: 'iam/invitations', id };
      const action = { name: 'iam:invitation:revoke' };
      const ids = async (of: object) =>
        ((await search({ resource: of, action })).body['results'] as unknown as { id: string }[]).map(
          (one) => one.id,
        );
      expect(await ids(resource)).toEqual([organization.owner.person.id]);
      await organization.call('DELETE', `/invitations/${id}`);
      expect(await ids(resource)).toEqual([]);
      expect(await ids({ ...resource, id: ulid() })).toEqual([]);
    });

    it('is complete with more holders than one step reads', async () => {
      const many = 230;
      const ids = Array.from({ length: many }, () => ulid());
      await app.sql(
        "INSERT INTO accounts (id, email, email_key, first_name) SELECT i, i || '@many.example', lower(i) || '@many.example', 'Ada' FROM unnest($1::text[]) i",
        [ids],
      );
      await app.sql(
        "INSERT INTO members (tenant_id, user_id, status) SELECT $1, id, CASE WHEN n % 2 = 0 THEN 'suspended' ELSE 'active' END FROM unnest($2::text[]) WITH ORDINALITY i (id, n)",
        [organization.id, ids],
      );
      await app.sql(
        "INSERT INTO member_roles (tenant_id, user_id, role_id, source) SELECT $1, i, r.id, s FROM unnest($2::text[]) i, roles r, unnest(ARRAY['manual', 'directory']) s WHERE r.tenant_id = $1 AND r.key = 'clerk'",
        [organization.id, ids],
      );
      const active = ids.filter((_, n) => n % 2 === 0);
      const all = [organization.owner.person.id, ...active].toSorted();
      expect(await pages(order(), 100)).toEqual(all);
      expect(await pages(order(), 40)).toEqual(all);
    });

    it.each<[string, () => object, number, string]>([
      ['another type', () => ({ subject: { type: 'service_account' } }), 400, 'asker'],
      ['a scope of people', () => ({ action: { name: 'iam:session:end' } }), 400, 'asker'],
      ['a scope that there is not', () => ({ action: { name: 'iam:tenant:paint' } }), 400, 'asker'],
      ['a token that is none', () => ({ page: { token: '%' } }), 400, 'asker'],
      ['a page that is too large', () => ({ page: { limit: 1_001 } }), 400, 'asker'],
      ['a person', () => ({}), 403, 'owner'],
      ['an account without the scope', () => ({}), 403, 'member'],
      [
        'parents by an account that may not name them',
        () => ({ context: { parents: [depot()] } }),
        403,
        'curious',
      ],
    ])('refuses %s', async (_, body, status, role) => {
      const token = role === 'owner' ? organization.owner.token : await keyOf(role);
      expect((await search({ resource: order(), ...body() }, token)).status).toBe(status);
    });
  });

  const invited = async () => {
    const body = { email: `${ulid().toLowerCase()}@example.com`, roles: ['member'] };
    const invitation = await organization.call('POST', '/invitations', body);
    return { id: String(invitation.body['id']) };
  };
});

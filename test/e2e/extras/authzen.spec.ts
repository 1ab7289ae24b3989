import { Organization } from '../../support/organization.js';
import { itemsOf, type Answer, TestApp } from '../../support/test-app.js';

const ISSUER = 'http://gatehouse.test';
const INVITE = 'iam:invitation:create';
const READ = 'iam:tenant:read';
const ARCHIVE = 'iam:tenant:archive';
const UNKNOWN = 'iam:tenant:paint';

describe('AuthZEN', () => {
  let app: TestApp;
  let organization: Organization;
  let resource: { type: string; id: string };
  let subject: { type: string; id: string };
  let member: { token: string; id: string };
  beforeAll(async () => {
    app = await TestApp.start();
    organization = await Organization.found(app);
    const { token, person } = await organization.join('member');
    member = { token, id: person.id };
    resource = { type: 'iam/tenants', id: organization.id };
    subject = { type: 'user', id: person.id };
  });
  afterAll(() => app.stop());

  const ask = (body: object, token = member.token): Promise<Answer> =>
    app.call('POST', '/access/v1/evaluation', body, { token });
  const askAll = (body: object, token = member.token): Promise<Answer> =>
    app.call('POST', '/access/v1/evaluations', body, { token });
  const decisionsOf = ({ body }: Answer) =>
    (body['evaluations'] as unknown as { decision: boolean }[]).map(({ decision }) => decision);

  it('publishes its endpoints', async () => {
    expect((await app.get('/.well-known/authzen-configuration')).body).toEqual({
      policy_decision_point: ISSUER,
      access_evaluation_endpoint: `${ISSUER}/access/v1/evaluation`,
      access_evaluations_endpoint: `${ISSUER}/access/v1/evaluations`,
      search_resource_endpoint: `${ISSUER}/access/v1/search/resource`,
      search_subject_endpoint: `${ISSUER}/access/v1/search/subject`,
    });
  });

  it('permits, and denies with the code and reason of the permission check', async () => {
    const permitted = await ask({ subject, action: { name: READ }, resource, context: { time: 'now' } });
    expect([permitted.status, permitted.body]).toEqual([200, { decision: true }]);
    const uri = `gatehouse:///iam/tenants/${organization.id}`;
    const checked = await app.call(
      'POST',
      '/api/auth/can',
      { subject: uri, scopes: [ARCHIVE] },
      { token: member.token },
    );
    const { code, reason } = checked.body[ARCHIVE] as unknown as { code: string; reason: string };
    expect((await ask({ subject, action: { name: ARCHIVE }, resource })).body).toEqual({
      decision: false,
      context: { code, reason },
    });
  });

  it('denies what names no entity of the organization', async () => {
    const codeOf = async (wrong: object, name = READ) => {
      const { body } = await ask({ subject, action: { name }, resource: { ...resource, ...wrong } });
      expect(body['decision']).toBe(false);
      return (body['context'] as unknown as { code: string }).code;
    };
    const other = await Organization.found(app);
    expect(await codeOf({ id: other.id })).toBe('subject_not_found');
    expect(await codeOf({ id: 'x' })).toBe('subject_not_found');
    expect(await codeOf({ id: organization.id.toLowerCase() })).toBe('subject_not_found');
    expect(await codeOf({ type: 'iam/roles' })).toBe('subject_mismatch');
    expect(await codeOf({ type: 'tenants' })).toBe('subject_mismatch');
    expect(await codeOf({}, UNKNOWN)).toBe('unknown_scope');
  });

  it('decides for the caller alone', async () => {
    const { owner } = organization;
    for (const other of [
      { type: 'user', id: owner.person.id },
      { type: 'service_account', id: member.id },
    ]) {
      const { status, body } = await ask({ subject: other, action: { name: READ }, resource });
      expect([status, body]).toEqual([
        200,
        { decision: false, context: { error: { status: 403, message: 'The subject is not the caller.' } } },
      ]);
    }
    const own = { type: 'user', id: owner.person.id };
    expect((await ask({ subject: own, action: { name: ARCHIVE }, resource }, owner.token)).body).toEqual({
      decision: true,
    });
    expect((await app.call('POST', '/access/v1/evaluation', { subject })).status).toBe(401);
  });

  it('decides for a service account', async () => {
    const { owner } = organization;
    const path = `/api/v1/iam/tenants/${organization.id}`;
    const roles = itemsOf(await app.get(`${path}/roles`, owner.token));
    expect(roles.length).toBeGreaterThan(0);
    const account = await app.call(
      'POST',
      `${path}/service-accounts`,
      { name: 'Gateway', roles: ['member'] },
      { token: owner.token },
    );
    const id = String(account.body['id']);
    const key = await app.call(
      'POST',
      `${path}/service-accounts/${id}/keys`,
      { name: 'Gateway' },
      { token: owner.token },
    );
    const token = String(key.body['key']);
    const own = { type: 'service_account', id };
    expect((await ask({ subject: own, action: { name: READ }, resource }, token)).body).toEqual({
      decision: true,
    });
    expect(
      (await ask({ subject: { type: 'user', id }, action: { name: READ }, resource }, token)).body,
    ).toMatchObject({
      decision: false,
    });
  });

  describe('with several evaluations', () => {
    const actions = (...names: string[]) => names.map((name) => ({ action: { name } }));

    it('fills what they leave out, and answers all in order', async () => {
      const answer = await askAll({
        subject,
        resource,
        evaluations: [
          ...actions(READ, ARCHIVE),
          { action: { name: READ }, subject: { type: 'user', id: organization.owner.person.id } },
          { action: { name: READ }, resource: { ...resource, id: 'x' } },
          ...actions(READ),
        ],
      });
      expect(decisionsOf(answer)).toEqual([true, false, false, false, true]);
    });

    it.each<[string, string[], boolean[]]>([
      ['execute_all', [READ, ARCHIVE, READ], [true, false, true]],
      ['deny_on_first_deny', [READ, ARCHIVE, READ], [true, false]],
      ['deny_on_first_deny', [READ, READ], [true, true]],
      ['permit_on_first_permit', [ARCHIVE, READ, ARCHIVE], [false, true]],
      ['permit_on_first_permit', [ARCHIVE, INVITE], [false, false]],
    ])('stops as %s says: %j', async (semantic, names, decisions) => {
      const options = { evaluations_semantic: semantic };
      const answer = await askAll({ subject, resource, evaluations: actions(...names), options });
      expect(decisionsOf(answer)).toEqual(decisions);
    });

    it('answers one question if there are none', async () => {
      const question = { subject, resource, action: { name: READ } };
      expect((await askAll(question)).body).toEqual({ decision: true });
      expect((await askAll({ ...question, evaluations: [] })).body).toEqual({ decision: true });
    });

    it('refuses a question without all its parts, an unknown semantic, and too many', async () => {
      const pathsOf = ({ status, body }: Answer) => [
        status,
        (body['violations'] as unknown as { propertyPath: string }[]).map(({ propertyPath }) => propertyPath),
      ];
      expect(pathsOf(await ask({ subject, resource }))).toEqual([400, ['action']]);
      expect(pathsOf(await askAll({ subject, evaluations: actions(READ) }))).toEqual([
        400,
        ['evaluations[0].resource'],
      ]);
      const options = { evaluations_semantic: 'guess' };
      expect(pathsOf(await askAll({ subject, resource, evaluations: actions(READ), options }))).toEqual([
        400,
        ['options.evaluations_semantic'],
      ]);
      const many = actions(...Array.from({ length: 51 }, () => READ));
      expect(pathsOf(await askAll({ subject, resource, evaluations: many }))).toEqual([400, ['evaluations']]);
    });
  });

  it('repeats the id of a request', async () => {
    const response = await fetch(new URL('/access/v1/evaluation', app.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${member.token}`,
        'content-type': 'application/json',
        'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716',
      },
      body: JSON.stringify({ subject, action: { name: READ }, resource }),
    });
    expect(response.headers.get('x-request-id')).toBe('bfe9eb29-ab87-4ca3-be83-a1d5d8305716');
  });
});

describe('The API as a protected resource', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('says which server issues its tokens, and refusals say where (RFC 9728)', async () => {
    const { status, headers } = await app.get('/api/v1/iam/me');
    const where = `resource_metadata="${ISSUER}/.well-known/oauth-protected-resource"`;
    expect([status, headers.get('www-authenticate')]).toEqual([401, `Bearer realm="gatehouse", ${where}`]);
    const wrong = await app.get('/api/v1/iam/me', 'x');
    expect(wrong.headers.get('www-authenticate')).toBe(
      `Bearer realm="gatehouse", error="invalid_token", ${where}`,
    );
    const { body } = await app.get('/.well-known/oauth-protected-resource');
    expect(body).toMatchObject({
      resource: ISSUER,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
    expect(body['scopes_supported']).toEqual(expect.arrayContaining([READ, INVITE]));
    const server = await app.get('/.well-known/oauth-authorization-server');
    expect(server.body['issuer']).toBe(ISSUER);
  });
});

import { decodeJwt } from 'jose';
import { randomBytes } from 'node:crypto';
import { Organization, Person } from '../../support/organization.js';
import { eventually, TestApp, withApp } from '../../support/test-app.js';

const ROOT_SECRET = randomBytes(32).toString('base64');
const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const NOT_A_MEMBER = { status: 403, body: { type: '/errors/not-a-member' } };

describe('Tokens of a tenant', () => {
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const select = (tenantId: unknown, token: string) => app.post('select-tenant', { tenantId }, { token });
  const refresh = (refreshToken: string, tenantId?: unknown) =>
    app.post('refresh', { refreshToken, ...(tenantId !== undefined && { tenantId }) });

  it('are given for a selected tenant, without another refresh token', async () => {
    const { person } = organization.owner;
    const answer = await select(organization.id, person.token);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      tokenType: 'Bearer',
      accessToken: expect.any(String),
      expiresIn: 600,
      refreshExpiresIn: expect.any(Number),
      sessionId: person.sessionId,
      tenantId: organization.id,
    });
    const { tid, sid, sub, scope } = decodeJwt(String(answer.body['accessToken']));
    expect({ tid, sid, sub }).toEqual({ tid: organization.id, sid: person.sessionId, sub: person.id });
    expect(String(scope).split(' ')).toEqual(
      expect.arrayContaining(['iam:tenant:archive', 'iam:invitation:create']),
    );
    expect(decodeJwt(person.token)).not.toHaveProperty('scope');
  });

  it('are refused for a tenant that is not the own one, in the words for one that does not exist', async () => {
    const stranger = await Person.signUp(app);
    const [foreign, unknown] = await Promise.all([
      select(organization.id, stranger.token),
      select(UNKNOWN, stranger.token),
    ]);
    expect(foreign).toMatchObject(NOT_A_MEMBER);
    expect({ ...foreign.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
  });

  it.each([undefined, null, 7, '', 'nonsense', [UNKNOWN], `${UNKNOWN}0`])(
    'are not given for the id %j',
    async (tenantId) => {
      expect((await select(tenantId, organization.owner.token)).body).toMatchObject({
        violations: [{ propertyPath: 'tenantId' }],
      });
    },
  );

  it('keep the tenant through refreshes, while the membership lasts', async () => {
    const { person, token } = await organization.join('member');
    const first = await refresh(person.refreshToken);
    expect(first.body['tenantId']).toBe(organization.id);
    expect((await app.get(organization.path, String(first.body['accessToken']))).status).toBe(200);
    await organization.call('DELETE', `/members/${person.id}`);
    expect((await app.get(organization.path, token)).status).toBe(401);
    const second = await refresh(String(first.body['refreshToken']));
    expect(second).toMatchObject({ status: 200, body: { tenantId: null } });
    expect((await app.get('/api/v1/iam/me', String(second.body['accessToken']))).status).toBe(200);
    await organization.admit(person, 'member').catch(() => undefined);
    expect((await refresh(String(second.body['refreshToken']))).status).toBe(200);
  });

  it('let two tabs work in two tenants: each refreshes into its own, and both get the same successor', async () => {
    const person = await Person.signUp(app);
    const here = await Organization.found(app, person);
    const there = await Organization.found(app, person);
    const [one, two] = await Promise.all([
      refresh(person.refreshToken, here.id),
      refresh(person.refreshToken, there.id),
    ]);
    expect([one.body['tenantId'], two.body['tenantId']]).toEqual([here.id, there.id]);
    expect(one.body['refreshToken']).toBe(two.body['refreshToken']);
    expect((await app.get(here.path, String(one.body['accessToken']))).status).toBe(200);
    expect((await app.get(there.path, String(two.body['accessToken']))).status).toBe(200);
    const plain = await refresh(String(one.body['refreshToken']));
    expect(plain.body['tenantId']).toBe(there.id); // selected last, when it was founded; the tabs have changed nothing
  });

  it('are not refreshed into a foreign tenant, and the refresh token stays good', async () => {
    const person = await Person.signUp(app);
    expect(await refresh(person.refreshToken, organization.id)).toMatchObject(NOT_A_MEMBER);
    expect(await refresh(person.refreshToken, UNKNOWN)).toMatchObject(NOT_A_MEMBER);
    expect((await refresh(person.refreshToken, 'nonsense')).body).toMatchObject({
      violations: [{ propertyPath: 'tenantId' }],
    });
    const [row] = await app.sql<{ generation: number }>(
      'SELECT generation FROM grants WHERE session_id = $1',
      [person.sessionId],
    );
    expect(row?.generation).toBe(1);
    expect((await refresh(person.refreshToken)).status).toBe(200);
  });

  it('of a used refresh token end the session, whatever tenant is asked for', async () => {
    const person = await Person.signUp(app);
    const first = await refresh(person.refreshToken);
    await refresh(String(first.body['refreshToken']));
    expect((await refresh(person.refreshToken, UNKNOWN)).status).toBe(401);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
  });
});

describe('Two replicas', () => {
  it('agree within a second on who is a member and what roles hold', async () => {
    const here = await TestApp.start({ ROOT_SECRET });
    const organization = await Organization.found(here);
    const member = await organization.join('member'); // whose mails only the first replica can have written
    const there = await TestApp.start({ ROOT_SECRET, DATABASE_URL: here.databaseUrl });
    const status = async (path: string) =>
      (await there.get(`${organization.path}${path}`, member.token)).status;
    expect([await status(''), await status('/invitations')]).toEqual([200, 403]);
    await organization.call('PATCH', `/members/${member.person.id}`, { roles: ['admin'] });
    await eventually('the new role is felt there', async () => (await status('/invitations')) === 200, 1_000);
    await organization.call('DELETE', `/members/${member.person.id}`);
    await eventually('the removal is felt there', async () => (await status('')) === 401, 1_000);
    await there.app.close();
    await here.stop();
  });
});

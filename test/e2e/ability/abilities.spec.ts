import { CallerLocale } from '../../../src/platform/web/index.js';
import { statementsOf } from '../../support/plans.js';
import { Organization } from '../../support/organization.js';
import { TestApp } from '../../support/test-app.js';

const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('The permission check', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.start({}, true);
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const can = (body: unknown, token: string = organization.owner.token) =>
    app.call('POST', '/api/auth/can', body, { token });
  const subject = (collection: string, id: string) => `gatehouse:///iam/${collection}/${id}`;

  it('returns for each scope that it is allowed, or a code and a reason', async () => {
    const answer = await can({ scopes: ['iam:tenant:read', 'iam:tenant:restore', 'iam:tenant:read'] });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      'iam:tenant:read': { allowed: true },
      'iam:tenant:restore': {
        allowed: false,
        code: 'state_forbids',
        reason: 'The organization is not archived.',
      },
    });
  });

  it('gives the reasons in the language of the caller, which it reads for a denial only', async () => {
    const find = jest.spyOn(app.app.get(CallerLocale, { strict: false }), 'find');
    const ask = async (...scopes: string[]) => {
      const { token } = organization.owner;
      const headers = { 'accept-language': 'de' };
      return (await app.call('POST', '/api/auth/can', { scopes }, { token, headers })).body;
    };
    expect(await ask('iam:tenant:read', 'iam:tenant:archive')).toEqual({
      'iam:tenant:read': { allowed: true },
      'iam:tenant:archive': { allowed: true },
    });
    expect(find).not.toHaveBeenCalled();
    expect(await ask('iam:tenant:read', 'iam:tenant:restore')).toMatchObject({
      'iam:tenant:restore': { reason: 'Die Organisation ist nicht archiviert.' },
    });
    expect(find).toHaveBeenCalledTimes(1);
    find.mockRestore();
  });

  it('runs no statement for an organization and a person it knows, whatever is asked', async () => {
    const { items } = (await organization.call('GET', '/roles')).body as unknown as {
      items: { key: string; scopes: string[] }[];
    };
    const ofTenants = (scope: string) => scope.startsWith('iam:tenant:');
    const scopes = (items.find(({ key }) => key === 'owner')?.scopes ?? [])
      .toSorted((one, other) => Number(ofTenants(other)) - Number(ofTenants(one)))
      .slice(0, 50); // at most
    const ask = () => can({ subject: subject('tenants', organization.id), scopes });
    const { body } = await ask();
    expect(body).toMatchObject({
      'iam:tenant:transfer-ownership': { allowed: true },
      'iam:tenant:delete': {},
    });
    expect(await statementsOf(ask)).toEqual([]);
  });

  it('returns the first denial that applies, in the order of API-9', async () => {
    const member = await organization.join('member');
    const invitation = subject('invitations', ULID);
    const ask = async (scope: string, uri: string | undefined, token: string) => {
      const { body } = await can({ scopes: [scope], ...(uri !== undefined && { subject: uri }) }, token);
      return (body[scope] as unknown as { code?: string }).code;
    };
    const { token, person } = organization.owner;
    expect(await ask('iam:invitation:fly', subject('roles', ULID), person.token)).toBe('unknown_scope');
    expect(await ask('iam:invitation:revoke', subject('roles', ULID), person.token)).toBe('tenant_required');
    expect(await ask('iam:invitation:revoke', subject('roles', ULID), member.token)).toBe('scope_not_held');
    expect(await ask('iam:invitation:revoke', subject('roles', ULID), token)).toBe('subject_mismatch');
    expect(await ask('iam:invitation:revoke', 'gatehouse:///other/invitations/' + ULID, token)).toBe(
      'subject_mismatch',
    );
    expect(await ask('iam:invitation:revoke', invitation, token)).toBe('subject_not_found');
    expect(await ask('iam:invitation:revoke', undefined, token)).toBeUndefined();
  });

  it('accepts any scheme, and an id only in its own spelling, like a command', async () => {
    const { id } = organization;
    const ask = async (uri: string) =>
      (await can({ subject: uri, scopes: ['iam:tenant:read'] })).body['iam:tenant:read'];
    expect(await ask(`shop:///iam/tenants/${id}`)).toEqual({ allowed: true });
    expect(await ask(`x-1+a.b:///iam/tenants/${id}`)).toEqual({ allowed: true });
    expect(await ask(`shop:///iam/tenants/${id.toLowerCase()}`)).toMatchObject({ code: 'subject_not_found' });
  });

  it.each([
    ['no scopes', {}, ['scopes']],
    ['an empty list', { scopes: [] }, ['scopes']],
    ['51 scopes', { scopes: Array.from({ length: 51 }, (_, n) => `a:b:c${n}`) }, ['scopes']],
    ['no list', { scopes: 'iam:tenant:read' }, ['scopes']],
    [
      'items of another shape',
      { scopes: ['iam:tenant:read', 'iam:tenant', 7, null, 'IAM:tenant:read', 'a:b:c:d', ' a:b:c'] },
      ['scopes[1]', 'scopes[2]', 'scopes[3]', 'scopes[4]', 'scopes[5]', 'scopes[6]'],
    ],
    ['a subject of another shape', { scopes: ['a:b:c'], subject: 'nonsense' }, ['subject']],
    [
      'a subject with an authority',
      { scopes: ['a:b:c'], subject: `g://host/iam/tenants/${ULID}` },
      ['subject'],
    ],
    ['a subject without a ULID', { scopes: ['a:b:c'], subject: 'g:///iam/tenants/1' }, ['subject']],
    [
      'a subject with more behind it',
      { scopes: ['a:b:c'], subject: `g:///iam/tenants/${ULID}/x` },
      ['subject'],
    ],
    ['a subject with a query', { scopes: ['a:b:c'], subject: `g:///iam/tenants/${ULID}?a` }, ['subject']],
    ['a subject that is none', { scopes: ['a:b:c'], subject: 7 }, ['subject']],
    ['both wrong', { scopes: ['nonsense'], subject: '' }, ['subject', 'scopes[0]']],
  ])('rejects %s with a violation of each field', async (_what, body, fields) => {
    const { body: problem } = await can(body);
    expect(problem).toMatchObject({ type: '/errors/validation-error', status: 400 });
    const violations = problem['violations'] as unknown as { propertyPath: string }[];
    expect(violations.map(({ propertyPath }) => propertyPath).toSorted()).toEqual(fields.toSorted());
  });

  it('counts as a read, although it is a POST, also with a trailing slash', async () => {
    const { headers } = await can({ scopes: ['iam:tenant:read'] });
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    const slash = await fetch(`${app.url}/api/auth/can/`, { method: 'POST' });
    expect(slash.headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it('requires an access token', async () => {
    expect((await app.call('POST', '/api/auth/can', { scopes: ['a:b:c'] })).status).toBe(401);
  });
});

describe('A session of the caller', () => {
  it('can be ended once, as the permission check says before', async () => {
    const app = await TestApp.start();
    const account = await app.register();
    const [here, there] = [await app.login(account), await app.login(account)];
    const end = () =>
      app.call('DELETE', `/api/v1/iam/me/sessions/${there.sessionId}`, undefined, {
        token: here.accessToken,
      });
    const probe = async () => {
      const body = { subject: `g:///iam/sessions/${there.sessionId}`, scopes: ['iam:session:end'] };
      return (await app.call('POST', '/api/auth/can', body, { token: here.accessToken })).body[
        'iam:session:end'
      ];
    };
    const reason = 'The session has ended already.';
    expect(await probe()).toEqual({ allowed: true });
    expect((await end()).status).toBe(204);
    expect(await probe()).toEqual({ allowed: false, code: 'state_forbids', reason });
    expect(await end()).toMatchObject({ status: 403, body: { code: 'state_forbids', detail: reason } });
    const stranger = await app.login(await app.register());
    const foreign = await app.call('DELETE', `/api/v1/iam/me/sessions/${here.sessionId}`, undefined, {
      token: stranger.accessToken,
    });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'subject_not_found' } });
    await app.stop();
  });
});

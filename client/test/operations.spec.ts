import { Organization } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import { unlessAborted } from '../src/abort.js';
import { memoryStorage, ProblemError, SignedOutError } from '../src/index.js';
import { WatchedClient } from './support.js';

describe('Operations of the client', () => {
  let app: TestApp;
  let organization: Organization;
  let client: WatchedClient;
  beforeAll(async () => {
    app = await TestApp.start({}, true);
    organization = await Organization.found(app);
    client = new WatchedClient(app);
    await client.login(organization.owner.person);
    await client.selectTenant(organization.id);
  });
  afterAll(() => app.stop());

  const id = () => ({ path: { id: organization.id } });
  const problem = async (work: Promise<unknown>): Promise<ProblemError> => {
    const error = await work.catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    return error as ProblemError;
  };

  it('return data, status and rate limit', async () => {
    const made = await client.post('/api/v1/iam/tenants/{id}/roles', {
      params: id(),
      body: { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] },
    });
    expect(made).toEqual({
      status: 201,
      data: expect.objectContaining({ key: 'packer' }),
      rateLimit: { limit: 100, remaining: expect.any(Number), reset: expect.any(Date) },
    });
    const role = { path: { id: organization.id, roleId: made.data.id } };
    const path = '/api/v1/iam/tenants/{id}/roles/{roleId}';
    expect((await client.patch(path, { params: role, body: { name: 'Loader' } })).data.name).toBe('Loader');
    expect(await client.delete(path, { params: role })).toMatchObject({ status: 204, data: undefined });
    const roles = await client.get('/api/v1/iam/tenants/{id}/roles', {
      params: { ...id(), query: { limit: 2 } },
    });
    expect(roles.data.items).toHaveLength(2);
    expect(roles.data.nextCursor).toEqual(expect.any(String));
  });

  it('throw for a path parameter that is missing or empty, before they are sent', async () => {
    const path = '/api/v1/iam/tenants/{id}/roles/{roleId}';
    const sent = client.sent.length;
    for (const params of [undefined, id(), { path: { id: organization.id, roleId: '' } }])
      await expect(client.get(path, { params } as never)).rejects.toThrow(
        new TypeError(
          `${path} needs { params: { path: { ${params ? 'roleId' : 'id'} } } }, with a text that is not empty.`,
        ),
      );
    expect(client.sent.slice(sent)).toEqual([]);
  });

  it('do not compile if the document does not declare them', () => {
    const neverCalled = async () => {
      (await client.get('/api/v1/iam/me')).data.email satisfies string | null;
      (await client.delete('/api/v1/iam/auth/account')).data satisfies undefined;
      (await client.can(null, ['iam:tenant:read']))['iam:tenant:read'].allowed satisfies boolean;
      // @ts-expect-error no parameter
      await client.get('/api/v1/iam/tenants/{id}');
      // @ts-expect-error no such operation
      await client.put('/api/v1/iam/me');
      // @ts-expect-error another type
      await client.post('/api/v1/iam/tenants', { body: { name: 3 } });
      // @ts-expect-error unknown scope
      await client.can(null, ['iam:tenant:read']).then((verdicts) => verdicts['iam:tenant:archive']);
    };
    expect(neverCalled).toBeInstanceOf(Function); // npm run types does the rest
  });

  it('throw the problem, with its violations and request id', async () => {
    const body = { key: '', name: 'Packer', scopes: [] };
    const error = await problem(client.post('/api/v1/iam/tenants/{id}/roles', { params: id(), body }));
    expect(error).toMatchObject({
      code: 'validation-error',
      status: 400,
      title: 'Validation Error',
      requestId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      retryAfterSeconds: null,
      denial: null,
    });
    expect(error.violations).toContainEqual({ propertyPath: 'key', message: expect.any(String) });
    expect(error.rateLimit?.limit).toBe(100);
  });

  it('throw a denial with the code of the permission check', async () => {
    const params = { path: { id: organization.id, userId: organization.owner.person.id } };
    const error = await problem(client.delete('/api/v1/iam/tenants/{id}/members/{userId}', { params }));
    expect(error).toMatchObject({ code: 'forbidden', denial: 'state_forbids' });
  });

  it('distinguish a wrong password from an ended session', async () => {
    const { email } = organization.owner.person;
    expect(await problem(client.login({ email, password: 'not-the-password' }))).toMatchObject({
      code: 'invalid-credentials',
      status: 401,
    });
    const { refreshes } = client;
    const body = { currentPassword: 'not-the-password', newPassword: 'another-harbour-43' };
    expect((await problem(client.put('/api/v1/iam/me/password', { body }))).status).toBeLessThan(402);
    expect(client.refreshes).toBe(refreshes);
    await expect(new WatchedClient(app).get('/api/v1/iam/me')).rejects.toThrow(SignedOutError);
  });

  it('need no sign-in if they are public, also after the session has ended', async () => {
    const storage = memoryStorage();
    await storage.write({ sessionId: 'of long ago', refreshToken: 'of long ago' });
    const stranger = new WatchedClient(app, { storage });
    const { data } = await stranger.post('/api/v1/iam/auth/request-password-reset', {
      body: { email: 'unknown@example.com' },
    });
    expect([data, stranger.refreshes]).toEqual([{ status: 'accepted' }, 0]);
    await expect(stranger.get('/api/v1/iam/me')).rejects.toThrow(SignedOutError);
    expect([stranger.events.at(-1), await storage.read()]).toEqual([
      ['signed-out', { reason: 'ended' }],
      null,
    ]);
  });

  it('can be aborted', async () => {
    const signal = AbortSignal.abort(new Error('not wanted any more'));
    await expect(client.get('/api/v1/iam/me', { signal })).rejects.toThrow('not wanted any more');
  });

  it.each(['before', 'while'])('wait no longer once they are aborted: %s they wait', async (when) => {
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    if (when === 'before') controller.abort(reason);
    const waiting = unlessAborted(controller.signal, new Promise<never>(() => undefined));
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(unlessAborted(controller.signal, Promise.reject(new Error('late')))).rejects.toBe(reason);
    await expect(unlessAborted(undefined, Promise.resolve('done'))).resolves.toBe('done');
  });

  it('provide an access token for other services', async () => {
    const token = await client.accessToken();
    expect((await app.get('/api/v1/iam/me', token)).status).toBe(200);
  });
});

describe('Logout of the client', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  const twoDevices = async () => {
    const person = await app.register();
    const devices = [new WatchedClient(app), new WatchedClient(app)] as const;
    for (const device of devices) await device.login(person);
    return devices;
  };
  const isIn = (client: WatchedClient) =>
    client.get('/api/v1/iam/me').then(
      () => true,
      (error: unknown) => {
        if (error instanceof SignedOutError) return false;
        throw error;
      },
    );

  it.each([
    ['session', false, true],
    ['all', false, false],
    ['others', true, false],
  ] as const)('of %s: this device remains signed in: %s, the other: %s', async (which, here, there) => {
    const [one, other] = await twoDevices();
    await one.logout(which);
    expect([await one.isSignedIn(), await isIn(one), await isIn(other)]).toEqual([here, here, there]);
    if (!here) expect(one.events.at(-1)).toEqual(['signed-out', { reason: 'logout' }]);
    if (!there) expect(other.events.at(-1)).toEqual(['signed-out', { reason: 'ended' }]);
  });

  it('has no address for a session that began here', async () => {
    const [one] = await twoDevices();
    expect(await one.logout('session', { upstream: true })).toBeNull();
    expect(await one.isSignedIn()).toBe(false);
  });

  it('succeeds if the session has already ended', async () => {
    const [one, other] = await twoDevices();
    await other.logout('all');
    await one.logout();
    expect(await one.isSignedIn()).toBe(false);
  });

  it('fails if the service cannot be reached; the tokens can still be removed', async () => {
    let reachable = true;
    const client = new WatchedClient(app, {
      fetch: (input, init) =>
        reachable ? fetch(input, init) : Promise.reject(new TypeError('fetch failed')),
    });
    await client.login(await app.register());
    reachable = false;
    await expect(client.logout()).rejects.toThrow('cannot be reached');
    expect(await client.isSignedIn()).toBe(true);
    await client.forget();
    expect(await client.isSignedIn()).toBe(false);
  });
});

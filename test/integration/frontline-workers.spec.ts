import { CleanupService } from '../../src/platform/cleanup/cleanup.js';
import { signedInAgo } from '../support/aged.js';
import { byTwoFactors } from '../support/factors.js';
import { Organization } from '../support/organization.js';
import { hire, openStations, resetPin, Station } from '../support/station.js';
import { eventually, itemsOf, withApp } from '../support/test-app.js';

let organization: Organization;
const app = withApp();
beforeAll(async () => {
  organization = await Organization.found(app);
  await openStations(organization);
});

let next = 1_000;
const add = async (fields: object = {}, of = organization) => {
  const { status, body } = await of.call('POST', '/workers', {
    number: String(next++),
    firstName: 'Grace',
    roles: ['member'],
    ...fields,
  });
  expect(status).toBe(201);
  return body;
};

describe('Workers', () => {
  it('are added without an address, and are members', async () => {
    const worker = await add({ number: 'N-1', lastName: 'Hopper', until: '2099-01-01T00:00:00.000Z' });
    expect(worker).toMatchObject({
      number: 'N-1',
      firstName: 'Grace',
      lastName: 'Hopper',
      email: null,
      status: 'active',
      roles: ['member'],
      hasPin: false,
      pinLocked: false,
      badge: null,
      until: '2099-01-01T00:00:00.000Z',
      lastSignInAt: null,
    });
    const listed = itemsOf<{ userId: string; email: string | null }>(
      await organization.call('GET', '/members?query=grace'),
    );
    expect(listed.find(({ userId }) => userId === String(worker['userId']))).toMatchObject({ email: null });
    for (const part of ['n-1', '-1', 'OPPÉ', 'rac']) {
      const found = itemsOf<{ userId: string }>(await organization.call('GET', `/workers?query=${part}`));
      expect([part, found.map(({ userId }) => userId)]).toEqual([part, [worker['userId']]]);
    }
    expect(itemsOf(await organization.call('GET', '/workers?status=suspended'))).toEqual([]);
  });

  it('are listed in each order, page by page', async () => {
    const other = await Organization.found(app);
    await add({ number: '20', firstName: 'Kay', lastName: null }, other);
    await add({ number: '3', firstName: 'Ángela', lastName: 'Ruiz' }, other);
    await add({ number: '10', firstName: 'kay', lastName: null }, other);
    await add({ number: '99', firstName: 'Zed', lastName: null });
    const list = async (query: string) => {
      const numbers: string[] = [];
      const totals: unknown[] = [];
      for (let cursor: unknown = ''; cursor !== null;) {
        const page = await other.call('GET', `/workers?limit=1&${query}&cursor=${String(cursor)}`);
        numbers.push(...itemsOf<{ number: string }>(page).map(({ number }) => number));
        totals.push(page.body['total']);
        cursor = page.body['nextCursor'];
      }
      return { numbers, totals: totals.filter((total) => total !== undefined) };
    };
    const totals = [3];
    expect(await list('')).toEqual({ numbers: ['20', '3', '10'], totals });
    expect(await list('sort=-createdAt')).toEqual({ numbers: ['10', '3', '20'], totals });
    expect(await list('sort=number')).toEqual({ numbers: ['10', '20', '3'], totals });
    expect(await list('sort=-number')).toEqual({ numbers: ['3', '20', '10'], totals });
    expect(await list('sort=name')).toEqual({ numbers: ['3', '20', '10'], totals });
    expect(await list('sort=-name&query=kay')).toEqual({ numbers: ['10', '20'], totals: [2] });
    const { body } = await other.call('GET', '/workers?limit=1&sort=name');
    const inOtherOrder = `/workers?sort=number&cursor=${String(body['nextCursor'])}`;
    expect((await other.call('GET', inOtherOrder)).status).toBe(400);
  });

  it('have numbers that are unique in the organization without regard to case', async () => {
    const other = await Organization.found(app);
    const { userId } = await add({ number: 'Same7' });
    await add({ number: 'Same7' }, other);
    const taken = await organization.call('POST', '/workers', {
      number: 'sAME7',
      firstName: 'Ada',
      roles: ['member'],
    });
    expect(taken.status).toBe(409);
    const renamed = await organization.call('PATCH', `/workers/${userId}`, { number: 'SAME7' });
    expect(renamed.body).toMatchObject({ number: 'SAME7' });
    const { userId: second } = await add();
    expect((await organization.call('PATCH', `/workers/${second}`, { number: 'same7' })).status).toBe(409);
    expect(
      (await organization.call('POST', '/workers', { number: 'a b', firstName: 'A', roles: [] })).status,
    ).toBe(400);
    expect((await other.call('GET', `/workers/${userId}`)).status).toBe(404);
    expect((await other.call('PATCH', `/workers/${userId}`, { number: '1' })).status).toBe(404);
  });

  it('get no role of an owner, and none that reaches more than the caller', async () => {
    const owner = await organization.call('POST', '/workers', {
      number: '1',
      firstName: 'A',
      roles: ['owner'],
    });
    expect(owner.status).toBe(403);
    const role = { key: 'foreman', name: 'Foreman', scopes: ['iam:worker:create', 'iam:worker:read'] };
    expect((await organization.call('POST', '/roles', role)).status).toBe(201);
    const foreman = await organization.join('foreman');
    const given = { number: '2', firstName: 'A', roles: ['admin'] };
    expect((await organization.call('POST', '/workers', given, foreman.token)).status).toBe(403);
    const member = await organization.join('member');
    expect((await organization.call('POST', '/workers', given, member.token)).status).toBe(403);
  });

  it('are renamed, and get other roles', async () => {
    const { userId } = await add();
    const changed = await organization.call('PATCH', `/workers/${userId}`, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      roles: [],
      until: null,
    });
    expect(changed.status).toBe(400); // at least one role
    const renamed = await organization.call('PATCH', `/workers/${userId}`, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      roles: ['admin'],
    });
    expect(renamed.body).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', roles: ['admin'] });
  });

  it('are removed, and erased if nothing else holds the account', async () => {
    const { userId } = await add();
    expect((await organization.call('DELETE', `/workers/${userId}`)).status).toBe(204);
    expect((await organization.call('GET', `/workers/${userId}`)).status).toBe(404);
    const [account] = await app.sql('SELECT first_name, erased_at FROM accounts WHERE id = $1', [userId]);
    expect(account).toMatchObject({ first_name: null, erased_at: expect.any(Date) as Date });
    expect(await app.sql('SELECT 1 FROM workers WHERE user_id = $1', [userId])).toEqual([]);
  });

  it('are erased with their last membership, however that ends', async () => {
    const doomed = await Organization.found(app);
    const [removed, kept, gone] = [await add({}, doomed), await add({}, doomed), await add({}, doomed)];
    const idOf = ({ userId }: Record<string, unknown>) => String(userId);
    const isErased = async (worker: Record<string, unknown>) => {
      const sql = 'SELECT 1 FROM accounts WHERE id = $1 AND erased_at IS NOT NULL AND first_name IS NULL';
      return (await app.sql(sql, [idOf(worker)])).length === 1;
    };
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [organization.id, idOf(kept)]);
    expect((await doomed.call('DELETE', `/members/${idOf(removed)}`)).status).toBe(204);
    await eventually('who was removed as a member is erased', () => isErased(removed));
    await doomed.call('POST', '/archive');
    await app.sql(`UPDATE tenants SET deletes_at = now(), deletion_requested_by = 'x' WHERE id = $1`, [
      doomed.id,
    ]);
    await app.app.get(CleanupService, { strict: false }).run();
    await eventually('who was in the deleted organization only is erased', () => isErased(gone));
    await eventually('no job is due', async () => {
      const due = 'SELECT 1 FROM graphile_worker.jobs WHERE run_at <= now()';
      return (await app.sql(due)).length === 0;
    });
    expect(await isErased(kept)).toBe(false);
  });

  it('own the account once they have confirmed an address', async () => {
    const { userId } = await add();
    const email = `grace-${String(userId).toLowerCase()}@example.com`;
    const { accessToken: old } = await signedInAgo(app, (await organization.join('admin')).person);
    const stale = await organization.call('PATCH', `/workers/${userId}`, { email }, old);
    expect(stale).toMatchObject({ status: 401, body: { type: '/errors/insufficient-user-authentication' } });
    const station = await Station.of(organization);
    const boss = await hire(organization, station, { roles: ['admin'], pin: '583920' });
    const { body } = await station.signIn({ number: boss.number, pin: boss.pin });
    const byPin = String(body['accessToken']);
    const refused = await organization.call('PATCH', `/workers/${userId}`, { email }, byPin);
    expect(refused).toMatchObject({ status: 401, body: { acr: 'aal2' } });
    expect((await organization.call('PATCH', `/workers/${userId}`, { firstName: 'G' }, byPin)).status).toBe(
      200,
    );
    expect((await organization.call('PATCH', `/workers/${userId}`, { email })).body).toMatchObject({
      email: null,
    });
    const token = await app.mailedToken(email);
    expect((await app.post('confirm-email', { token })).status).toBe(204);
    expect((await organization.call('GET', `/workers/${userId}`)).body).toMatchObject({ email });
    expect((await organization.call('PATCH', `/workers/${userId}`, { firstName: 'Eve' })).status).toBe(409);
    expect(
      (await organization.call('PATCH', `/workers/${userId}`, { email: 'eve@example.com' })).status,
    ).toBe(409);
    expect((await organization.call('DELETE', `/workers/${userId}`)).status).toBe(204);
    const [account] = await app.sql('SELECT erased_at FROM accounts WHERE id = $1', [userId]);
    expect(account).toEqual({ erased_at: null });
  });

  it('who hold the permission cannot change, end or reset themselves, and can end their badge', async () => {
    const station = await Station.of(organization);
    const boss = await hire(organization, station, { roles: ['admin'], pin: '583920' });
    const { body } = await station.signIn({ number: boss.number, pin: boss.pin });
    const token = String(body['accessToken']);
    const own = `/workers/${boss.userId}`;
    const { userId } = await add();
    for (const [method, path, input] of [
      ['PATCH', '', { lastName: 'Boss' }],
      ['DELETE', '', undefined],
      ['POST', '/suspend', undefined],
      ['POST', '/badge', {}],
      ['POST', '/pin-reset', undefined],
    ] as const) {
      const answer = await organization.call(method, own + path, input, token);
      expect([path, answer.status, answer.body['detail']]).toEqual([
        path,
        403,
        'You cannot do this for yourself. Ask another member.',
      ]);
    }
    const other = await organization.call('PATCH', `/workers/${userId}`, { lastName: 'Boss' }, token);
    expect(other.status).toBe(200);
    expect((await organization.call('DELETE', `${own}/badge`, undefined, token)).status).toBe(204);
  });

  it('are suspended and reinstated', async () => {
    const { userId } = await add();
    expect((await organization.call('POST', `/workers/${userId}/suspend`)).status).toBe(204);
    expect((await organization.call('POST', `/workers/${userId}/suspend`)).status).toBe(403);
    expect((await organization.call('GET', `/workers/${userId}`)).body).toMatchObject({
      status: 'suspended',
    });
    expect((await organization.call('POST', `/workers/${userId}/reinstate`)).status).toBe(204);
    expect((await organization.call('GET', `/workers/${userId}`)).body).toMatchObject({ status: 'active' });
  });

  it('get a temporary PIN of a member who has signed in by two factors, and the check says so', async () => {
    const { userId } = await add();
    const path = `/workers/${userId}/pin-reset`;
    const refused = await organization.call('POST', path);
    expect([refused.status, refused.body['acr']]).toEqual([401, 'aal2']);
    const subject = `gatehouse:///iam/workers/${String(userId)}`;
    const question = { scopes: ['iam:worker:reset-pin'], subject };
    const can = async (token: string) =>
      JSON.stringify((await app.call('POST', '/api/auth/can', question, { token })).body);
    expect(await can(organization.owner.token)).toContain('authentication_insufficient');
    expect(await can(byTwoFactors(app, organization.owner.token))).toContain('"allowed":true');
    const { status, body } = await resetPin(organization, String(userId));
    expect(status).toBe(201);
    expect(body['temporaryPin']).toMatch(/^\d{8}$/);
    const [stored] = await app.sql<{ pin_hash: string }>('SELECT pin_hash FROM workers WHERE user_id = $1', [
      userId,
    ]);
    expect(stored?.pin_hash).toMatch(/^p1\$[0-9a-f]{8}\$\$2b\$08\$/);
  });

  it('get a temporary PIN of two members one after the other, where the organization wants it', async () => {
    const other = await Organization.found(app);
    expect((await other.call('PUT', '/sign-in-policy', { pinReset: 'two-people' })).status).toBe(200);
    const { userId } = await add({}, other);
    const second = await other.join('admin');
    const path = `/workers/${userId}/pin-reset`;
    const asked = await other.call('POST', path);
    expect([asked.status, asked.body['temporaryPin']]).toEqual([202, null]);
    expect((await other.call('POST', path)).status).toBe(202); // the same member does not count twice
    const confirmed = await other.call('POST', path, undefined, second.token);
    expect([confirmed.status, typeof confirmed.body['temporaryPin']]).toEqual([201, 'string']);
    const leaver = await other.join('admin');
    expect((await other.call('POST', path, undefined, leaver.token)).status).toBe(202);
    expect((await other.call('DELETE', `/members/${leaver.person.id}`)).status).toBe(204);
    // Who asked first is no member any more.
    expect((await other.call('POST', path, undefined, second.token)).status).toBe(202);
    expect((await other.call('POST', path)).status).toBe(201);
    const lesser = await other.join('admin');
    expect((await other.call('POST', path, undefined, lesser.token)).status).toBe(202);
    await other.call('PATCH', `/members/${lesser.person.id}`, { roles: ['member'] });
    expect((await other.call('POST', path, undefined, second.token)).status).toBe(202);
    // A request of an hour ago does not count.
    await app.sql('UPDATE workers SET reset_until = now() WHERE user_id = $1', [userId]);
    expect((await other.call('POST', path)).status).toBe(202);
  });

  describe.each([
    ['was removed', 'DELETE', '', undefined],
    ['was suspended', 'POST', '/suspend', undefined],
    ['was given lesser roles', 'PATCH', '', { roles: ['member'] }],
    ['was suspended as a person', 'SQL', '', undefined],
  ])('of whom an administrator began something, who %s since,', (_, method, path, body) => {
    const lose = async ({ id }: { id: string }) => {
      if (method === 'SQL')
        return void (await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [id]));
      const { status } = await organization.call(method, `/members/${id}${path}`, body);
      expect([200, 204]).toContain(status);
    };

    it('get no address by it', async () => {
      const { userId } = await add();
      const admin = await organization.join('admin');
      const email = `eve-${String(userId).toLowerCase()}@example.com`;
      const asked = await organization.call('PATCH', `/workers/${userId}`, { email }, admin.token);
      expect(asked.status).toBe(200);
      const token = await app.mailedToken(email);
      await lose(admin.person);
      expect(await app.post('confirm-email', { token })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'token' }] },
      });
      const after = await organization.call('GET', `/workers/${userId}`);
      expect(after.body).toMatchObject({ email: null });
    });

    it('have no temporary PIN by it', async () => {
      const station = await Station.of(organization);
      const { userId, number } = await add();
      const admin = await organization.join('admin');
      const strong = byTwoFactors(app, admin.token);
      const reset = await organization.call('POST', `/workers/${userId}/pin-reset`, undefined, strong);
      const given = { number, pin: String(reset.body['temporaryPin']), newPin: '816204' };
      await lose(admin.person);
      expect(await station.signIn(given)).toMatchObject({
        status: 401,
        body: { type: '/errors/invalid-credentials' },
      });
      expect((await organization.call('GET', `/stations/${station.id}`)).body['person']).toBeNull();
      const again = await resetPin(organization, String(userId));
      const pin = String(again.body['temporaryPin']);
      expect((await station.signIn({ ...given, pin })).status).toBe(200);
      // The PIN that the person has chosen is their own.
      expect((await station.signIn({ number, pin: given.newPin })).status).toBe(200);
    });
  });

  it('get no address by a member who holds less than they do by now, nor after they have left', async () => {
    const scopes = ['iam:worker:read', 'iam:worker:update', 'iam:tenant:read'];
    const made = await organization.call('POST', '/roles', { key: 'shift-lead', name: 'Shift lead', scopes });
    expect(made.status).toBe(201);
    const lesser = await organization.call('POST', '/roles', { key: 'helper', name: 'Helper', scopes: [] });
    expect(lesser.status).toBe(201);
    const lead = await organization.join('shift-lead');
    const other = await Organization.found(app);
    const request = async (by = lead.token) => {
      const { userId } = await add({ roles: ['helper'] });
      const email = `eve-${String(userId).toLowerCase()}@example.com`;
      const asked = await organization.call('PATCH', `/workers/${userId}`, { email }, by);
      expect(asked.status).toBe(200);
      return { userId, token: await app.mailedToken(email) };
    };
    const [same, raised, left] = [await request(), await request(), await request()];
    const owner = await request(organization.owner.token);
    expect((await app.post('confirm-email', { token: same.token })).status).toBe(204);
    await organization.call('PATCH', `/workers/${raised.userId}`, { roles: ['admin'] });
    expect((await app.post('confirm-email', { token: raised.token })).status).toBe(400);
    await organization.call('PATCH', `/members/${owner.userId}`, { roles: ['owner'] });
    expect((await app.post('confirm-email', { token: owner.token })).status).toBe(400);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [other.id, left.userId]);
    expect((await organization.call('DELETE', `/workers/${left.userId}`)).status).toBe(204);
    expect((await app.post('confirm-email', { token: left.token })).status).toBe(400);
  });

  it('get badges, of which a new one ends the one before', async () => {
    const station = await Station.of(organization);
    const { userId, pin } = await hire(organization, station);
    const issue = async (body: object = {}) => organization.call('POST', `/workers/${userId}/badge`, body);
    const first = await issue();
    expect(first.status).toBe(201);
    expect(first.body['badge']).toMatch(/^gh_bd_/);
    const days = (Date.parse(String(first.body['expiresAt'])) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    expect((await issue({ expiresInDays: 396 })).status).toBe(400);
    const badge = String(first.body['badge']);
    expect((await station.signIn({ badge, pin })).status).toBe(200);
    const second = String((await issue()).body['badge']);
    expect((await station.signIn({ badge, pin })).status).toBe(401);
    expect((await station.signIn({ badge: second, pin })).status).toBe(200);
    expect((await station.signIn({ badge: second, pin: '918273' })).status).toBe(401);
    // A badge is known by its hash, not by its public part.
    const hash = async () =>
      (
        await app.sql<{ hash: Buffer }>('SELECT badge_hash AS hash FROM workers WHERE user_id = $1', [userId])
      )[0]?.hash;
    const setHash = (to: unknown) =>
      app.sql('UPDATE workers SET badge_hash = $2 WHERE user_id = $1', [userId, to]);
    const stored = await hash();
    await setHash(Buffer.alloc(32));
    expect((await station.signIn({ badge: second, pin })).status).toBe(401);
    await setHash(stored);
    expect((await organization.call('GET', `/workers/${userId}`)).body['badge']).toMatchObject({
      expiresAt: expect.any(String) as string,
    });
    await app.sql('UPDATE workers SET badge_expires_at = now() WHERE user_id = $1', [userId]);
    expect((await station.signIn({ badge: second, pin })).status).toBe(401);
    const third = String((await issue()).body['badge']);
    expect((await organization.call('DELETE', `/workers/${userId}/badge`)).status).toBe(204);
    expect((await station.signIn({ badge: third, pin })).status).toBe(401);
    const leaked = String((await issue()).body['badge']);
    await app.call('POST', '/api/v1/iam/leaked-keys', { key: leaked });
    expect((await station.signIn({ badge: leaked, pin })).status).toBe(401);
  });

  it('read and export what is kept about them, and can do nothing else with the account', async () => {
    const station = await Station.of(organization);
    const { userId, number, pin } = await hire(organization, station);
    const { body } = await station.signIn({ number, pin });
    const token = String(body['accessToken']);
    expect((await app.get('/api/v1/iam/me', token)).body).toMatchObject({ id: userId, email: null });
    const call = async (method: string, path: string, given?: object) =>
      (await app.call(method, `/api/v1/iam${path}`, given, { token })).status;
    expect(await call('PATCH', '/me', { firstName: 'Eve' })).toBe(403);
    expect(await call('PUT', '/me/email', { email: 'eve@example.com' })).toBe(403);
    expect(await call('POST', '/me/authenticators/totp')).toBe(403);
    expect(await call('DELETE', '/auth/account')).toBe(403);
    expect(await call('GET', '/me/sessions')).toBe(403);
    expect(await call('POST', '/tenants', { name: 'Mine' })).toBe(403);
    const exported = await app.call('POST', '/api/v1/iam/me/export', undefined, { token });
    expect(exported.status).toBe(202);
    const path = `/api/v1/iam/me/export/${String(exported.body['id'])}`;
    await eventually('the export is ready', async () => (await app.get(path, token)).status === 200);
    const parts = (await app.get(path, token)).body['parts'] as unknown as {
      name: string;
      items: object[];
    }[];
    expect(parts.find(({ name }) => name === 'workplaces')?.items).toMatchObject([{ number, hasPin: true }]);
  });
});

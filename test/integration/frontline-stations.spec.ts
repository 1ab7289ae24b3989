import { generateKeyPairSync } from 'node:crypto';
import { request } from 'node:http';
import { ulid } from 'ulid';
import { PinHasher } from '../../src/frontline/workers/pin-hasher.js';
import { claimsOf } from '../support/aged.js';
import { byTwoFactors } from '../support/factors.js';
import { Organization } from '../support/organization.js';
import { Replicas } from '../support/replicas.js';
import { hire, openStations, resetPin, Station, type TestWorker } from '../support/station.js';
import { eventually, itemsOf, type TestApp } from '../support/test-app.js';

let replicas: Replicas;
let app: TestApp;
let organization: Organization;
let station: Station;
let ada: TestWorker;
beforeAll(async () => {
  replicas = await Replicas.start();
  ({ app } = replicas);
  organization = await Organization.found(app);
  await openStations(organization);
  station = await Station.of(organization);
  ada = await hire(organization, station);
});
afterAll(() => replicas.stop());

const me = async (token: unknown) => (await app.get('/api/v1/iam/me', String(token))).status;
const signIn = (worker: TestWorker, at = station) => at.signIn({ number: worker.number, pin: worker.pin });

describe('A station', () => {
  it('registers one device by its code, of twenty that try at once', async () => {
    const created = await organization.call('POST', '/stations', { name: 'Gate 1', place: 'Hall B' });
    expect(created.body).toMatchObject({
      name: 'Gate 1',
      place: 'Hall B',
      status: 'pending',
      idleSeconds: 300,
      shiftSeconds: 43_200,
      networks: [],
      person: null,
    });
    for (const part of ['ate 1', 'hall', 'l b'])
      expect((await organization.call('GET', `/stations?query=${part}`)).body).toMatchObject({
        items: [{ id: created.body['id'] }],
      });
    const registrationCode = String(created.body['registrationCode']).toLowerCase().replaceAll('-', ' ');
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => app.post('stations/register', { registrationCode, jwk })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(400)]);
    expect(tries.find(({ status }) => status === 201)?.body).toMatchObject({
      stationId: created.body['id'],
      name: 'Gate 1',
      tenant: { id: organization.id, name: 'Lovelace Logistics' },
    });
  });

  it('does not register by an expired code, nor with a private or other key', async () => {
    const { body } = await organization.call('POST', '/stations', { name: 'Gate 2' });
    const registrationCode = String(body['registrationCode']);
    const register = async (jwk: object) =>
      (await app.post('stations/register', { registrationCode, jwk })).status;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await register(privateKey.export({ format: 'jwk' }))).toBe(400);
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    expect(await register(p384.export({ format: 'jwk' }))).toBe(400);
    await app.sql('UPDATE stations SET registration_expires_at = now() WHERE id = $1', [body['id']]);
    expect(await register(publicKey.export({ format: 'jwk' }))).toBe(400);
    const set = async (status: string) =>
      (await organization.call('PATCH', `/stations/${body['id']}`, { status })).status;
    expect(await set('active')).toBe(409);
    expect([await set('disabled'), await set('active')]).toEqual([200, 409]);
    const disabled = await organization.call('POST', '/stations', { name: 'Gate 3' });
    await organization.call('PATCH', `/stations/${disabled.body['id']}`, { status: 'disabled' });
    await expect(Station.register(app, String(disabled.body['registrationCode']))).rejects.toThrow('400');
    const listed = async (status: string) =>
      itemsOf<{ id: string }>(await organization.call('GET', `/stations?status=${status}`)).map(
        ({ id }) => id,
      );
    expect(await listed('disabled')).toEqual([body['id'], disabled.body['id']]);
    expect(await listed('locked')).toEqual([]);
  });

  it('is listed in each order, page by page', async () => {
    const other = await Organization.found(app);
    for (const [name, place] of [
      ['Gate', 'Yard'],
      ['ángle', null],
      ['gate', 'Hall'],
    ])
      await other.call('POST', '/stations', { name, place });
    await app.sql("UPDATE stations SET last_seen_at = now() WHERE tenant_id = $1 AND name = 'Gate'", [
      other.id,
    ]);
    const list = async (query: string) => {
      const names: string[] = [];
      for (let cursor: unknown = ''; cursor !== null;) {
        const page = await other.call('GET', `/stations?limit=1&${query}&cursor=${String(cursor)}`);
        names.push(...itemsOf<{ name: string }>(page).map(({ name }) => name));
        expect(page.body['total']).toBe(cursor === '' ? 3 : undefined);
        cursor = page.body['nextCursor'];
      }
      return names;
    };
    expect(await list('')).toEqual(['Gate', 'ángle', 'gate']);
    expect(await list('sort=-createdAt')).toEqual(['gate', 'ángle', 'Gate']);
    expect(await list('sort=name')).toEqual(['ángle', 'Gate', 'gate']);
    expect(await list('sort=-name')).toEqual(['gate', 'Gate', 'ángle']);
    expect(await list('sort=place')).toEqual(['ángle', 'gate', 'Gate']);
    expect(await list('sort=-lastSeenAt')).toEqual(['Gate', 'gate', 'ángle']);
  });

  it('is one of 2,000 of an organization', async () => {
    const other = await Organization.found(app);
    await other.call('POST', '/stations', { name: 'Gate' });
    await app.sql(
      `INSERT INTO stations SELECT (jsonb_populate_record(s, jsonb_build_object('id', s.id || n, 'registration_hash', NULL, 'registration_expires_at', NULL))).*
       FROM stations s, generate_series(1, 1998) n WHERE s.tenant_id = $1`,
      [other.id],
    );
    const create = async () => (await other.call('POST', '/stations', { name: 'Gate' })).status;
    expect([await create(), await create()]).toEqual([201, 409]);
  });

  it.each([
    ['removed', 'DELETE', '', undefined],
    ['suspended', 'POST', '/suspend', undefined],
    ['given lesser roles', 'PATCH', '', { roles: ['member'] }],
    ['suspended as a person', 'SQL', '', undefined],
  ])('does not register by the code of an administrator who was %s since', async (_, method, path, body) => {
    const admin = await organization.join('admin');
    const created = await organization.call('POST', '/stations', { name: 'Gate' }, admin.token);
    expect(created.status).toBe(201);
    if (method === 'SQL')
      await app.sql('UPDATE accounts SET suspended_at = now() WHERE id = $1', [admin.person.id]);
    else {
      const left = await organization.call(method, `/members/${admin.person.id}${path}`, body);
      expect([200, 204]).toContain(left.status);
    }
    const registrationCode = String(created.body['registrationCode']);
    await expect(Station.register(app, registrationCode)).rejects.toThrow('400');
    const pending = await organization.call('GET', `/stations/${created.body['id']}`);
    expect(pending.body).toMatchObject({ status: 'pending' });
  });

  it('signs a person in for its organization, by one factor', async () => {
    const { status, body } = await signIn(ada);
    expect(status).toBe(200);
    expect(body).toMatchObject({ tokenType: 'Bearer', tenantId: organization.id, refreshExpiresIn: 300 });
    expect(body['expiresIn']).toBeLessThanOrEqual(300);
    const claims = claimsOf(String(body['accessToken']));
    expect(claims).toMatchObject({ sub: ada.userId, tid: organization.id, acr: 'aal1', station: station.id });
    expect((claims as unknown as { amr: string[] }).amr).toEqual(['pin', 'pop']);
    expect(claims).not.toHaveProperty('cnf');
    expect(await me(body['accessToken'])).toBe(200);
    const shown = await organization.call('GET', `/stations/${station.id}`);
    expect(shown.body['person']).toEqual({ userId: ada.userId, number: ada.number, firstName: 'Grace' });
  });

  it('refuses what asks for a strong or recent strong sign-in, and the check says so', async () => {
    const boss = await hire(organization, station, { roles: ['admin'], pin: '583920' });
    const token = String((await signIn(boss)).body['accessToken']);
    const account = await organization.call('POST', '/service-accounts', {
      name: 'Export',
      roles: ['member'],
    });
    const subject = `gatehouse:///iam/service-accounts/${String(account.body['id'])}`;
    const question = { scopes: ['iam:api-key:create'], subject };
    const can = await app.call('POST', '/api/auth/can', question, { token });
    expect(JSON.stringify(can.body)).toContain('authentication_insufficient');
    const path = `/service-accounts/${String(account.body['id'])}/keys`;
    const made = await organization.call('POST', path, { name: 'Key' }, token);
    expect([made.status, made.body['acr']]).toEqual([401, 'aal2']);
  });

  it('stays in its organization', async () => {
    const other = await Organization.found(app);
    await other.call('PUT', '/sign-in-policy', { otherConnections: true });
    const { body } = await signIn(ada);
    const token = String(body['accessToken']);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [other.id, ada.userId]);
    expect((await app.post('select-tenant', { tenantId: other.id }, { token })).status).toBe(403);
    const same = await app.post('select-tenant', { tenantId: organization.id }, { token });
    expect(same.status).toBe(200);
    expect(claimsOf(String(same.body['accessToken']))).toMatchObject({ station: station.id });
    expect(await me(same.body['accessToken'])).toBe(200);
    await app.sql('DELETE FROM members WHERE tenant_id = $1 AND user_id = $2', [other.id, ada.userId]);
  });

  it('ends the session of the person before', async () => {
    const grace = await hire(organization, station);
    const first = await signIn(ada);
    const second = await signIn(grace);
    expect(await me(first.body['accessToken'])).toBe(401);
    expect((await station.refresh(String(first.body['refreshToken']))).status).toBe(401);
    expect(await me(second.body['accessToken'])).toBe(200);
    const all = await Promise.all([ada, grace, ada, grace, ada].map((one) => signIn(one)));
    const alive = await Promise.all(all.map(({ body }) => me(body['accessToken'])));
    expect(alive.filter((status) => status === 200)).toHaveLength(1);
  });

  it('refreshes by a proof of its key only', async () => {
    const { body } = await signIn(ada);
    const refreshToken = String(body['refreshToken']);
    const withoutProof = await app.post('refresh', { refreshToken });
    expect([withoutProof.status, withoutProof.body['type']]).toEqual([
      401,
      expect.stringContaining('invalid-refresh-token') as string,
    ]);
    const other = await Station.of(organization);
    expect((await other.refresh(refreshToken)).status).toBe(401);
    expect((await station.refresh(refreshToken, { refreshToken: 'other' })).status).toBe(401);
    expect(await me(body['accessToken'])).toBe(200);
    const { status, body: next } = await station.refresh(refreshToken);
    expect(status).toBe(200);
    expect(claimsOf(String(next['accessToken']))).toMatchObject({
      station: station.id,
      tid: organization.id,
    });
    // The token before is reused by someone without the key: neither a refresh nor a logout.
    await app.sql("UPDATE grants SET rotated_at = rotated_at - interval '1 minute' WHERE station_id = $1", [
      station.id,
    ]);
    expect((await app.post('refresh', { refreshToken })).status).toBe(401);
    expect(await me(next['accessToken'])).toBe(200);
    expect((await station.refresh(refreshToken)).status).toBe(401);
    expect(await me(next['accessToken'])).toBe(401); // with the key, the reuse ends the session
  });

  it('refuses proofs that are replayed, for something else, or not its own', async () => {
    const given = { number: ada.number, pin: ada.pin };
    const path = station.signInPath;
    const now = Math.floor(Date.now() / 1_000);
    const other = await Station.of(organization);
    const nonce = await station.nonce();
    const proof = await station.prove({ path, nonce });
    expect((await station.present(given, proof)).status).toBe(200);
    expect((await station.present(given, proof)).status).toBe(401);
    expect((await station.signIn(given, { nonce })).status).toBe(401);
    const jti = 'once';
    expect((await station.signIn(given, { jti })).status).toBe(200);
    expect((await station.signIn(given, { jti })).status).toBe(401);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const refused: Parameters<Station['signIn']>[1][] = [
      { nonce: await other.nonce() },
      { nonce: 'none' },
      { path: other.signInPath },
      { method: 'PUT' },
      { iat: now - 300 },
      { iat: now + 300 },
      { kid: other.id },
      { typ: 'dpop+jwt' },
      { key: privateKey },
      { header: { jwk: privateKey.export({ format: 'jwk' }) } },
      { header: { alg: 'none' } },
      { header: { kid: 'a\u0000b' } },
      { header: { kid: undefined } },
      { claims: { iat: undefined } },
      { claims: { iat: String(now) } },
      { claims: { nonce: undefined } },
      { claims: { jti: undefined } },
      { claims: { jti: '' } },
      { claims: { jti: 1 } },
      { claims: { jti: 'x'.repeat(257) } },
      { claims: { more: 'x'.repeat(4_000) } },
      { iat: now - 70 },
      { iat: now + 70 },
    ];
    for (const one of refused) expect([one, (await station.signIn(given, one)).status]).toEqual([one, 401]);
    const foreign = await other.prove({ path });
    expect((await station.present(given, foreign)).status).toBe(401);
    expect((await app.post(`stations/${station.id}/sign-in`, given)).status).toBe(401);
  });

  it('refuses more than one proof, none, and a refresh whose proof names no token', async () => {
    const given = { number: ada.number, pin: ada.pin };
    const url = `${app.url}${station.signInPath}`;
    const present = async (...proofs: string[]) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'station-proof': proofs };
        const asked = request(url, { method: 'POST', headers }, (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
        asked.on('error', reject).end(JSON.stringify(given));
      });
    const proof = () => station.prove({ path: station.signInPath });
    expect(await present()).toBe(401);
    expect(await present(await proof(), await proof())).toBe(401);
    const last = await proof();
    expect(await present(last, last)).toBe(401);
    expect(await present(await proof())).toBe(200);
    const { body } = await signIn(ada);
    const refreshToken = String(body['refreshToken']);
    for (const ath of [undefined, '', 1])
      expect((await station.refresh(refreshToken, { claims: { ath } })).status).toBe(401);
    expect((await station.refresh(refreshToken)).status).toBe(200);
  });

  it('keeps what was used for longer than it is accepted', async () => {
    await app.sql('DELETE FROM used_assertions');
    expect((await signIn(ada)).status).toBe(200);
    const kept = await app.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM used_assertions',
    );
    expect(kept).toHaveLength(2);
    // A nonce of a clock that is two minutes ahead is accepted for four.
    for (const { seconds } of kept) expect(seconds).toBeGreaterThan(2 * 120);
  });

  it('accepts a nonce once, of twenty sign-ins at once', async () => {
    const nonce = await station.nonce();
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => station.signIn({ number: ada.number, pin: ada.pin }, { nonce })),
    );
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(401)]);
  });

  it('is accepted from its networks only', async () => {
    const fenced = await Station.of(organization, { networks: ['203.0.113.0/24'] });
    expect((await signIn(ada, fenced)).status).toBe(403);
    await organization.call('PATCH', `/stations/${fenced.id}`, { networks: ['127.0.0.0/8'] });
    const { status, body } = await signIn(ada, fenced);
    expect(status).toBe(200);
    await organization.call('PATCH', `/stations/${fenced.id}`, { networks: ['203.0.113.0/24'] });
    expect((await fenced.refresh(String(body['refreshToken']))).status).toBe(403);
    expect(
      (await organization.call('PATCH', `/stations/${fenced.id}`, { networks: ['1.2.3.4/99'] })).status,
    ).toBe(400);
  });

  it('ends a session by idle time and by the shift', async () => {
    const short = await Station.of(organization, { idleSeconds: 60, shiftSeconds: 300 });
    const { body } = await signIn(ada, short);
    expect(body).toMatchObject({ refreshExpiresIn: 60, expiresIn: 60 });
    const claims = claimsOf(String(body['accessToken'])) as unknown as { iat: number; exp: number };
    expect(claims.exp - claims.iat).toBe(60);
    const select = await app.post(
      'select-tenant',
      { tenantId: organization.id },
      { token: String(body['accessToken']) },
    );
    expect(Number(select.body['expiresIn'])).toBeLessThanOrEqual(60);
    const [session] = await app.sql<{ seconds: number }>(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sessions WHERE id = $1',
      [body['sessionId']],
    );
    expect(session?.seconds).toBe(300);
    await app.sql("UPDATE stations SET last_seen_at = now() - interval '1 hour' WHERE id = $1", [short.id]);
    const { body: refreshed } = await short.refresh(String(body['refreshToken']));
    const { lastSeenAt } = (await organization.call('GET', `/stations/${short.id}`)).body;
    expect(Date.parse(String(lastSeenAt))).toBeGreaterThan(Date.now() - 60_000);
    await app.sql('UPDATE grants SET idle_expires_at = now() WHERE session_id = $1', [body['sessionId']]);
    expect((await short.refresh(String(refreshed['refreshToken']))).status).toBe(401);
    expect((await organization.call('GET', `/stations/${short.id}`)).body['person']).toBeNull();
  });

  it('ends its session within a second when it is disabled or deleted', async () => {
    const replica = replicas.other;
    const gate = await Station.of(organization);
    const first = await signIn(ada, gate);
    const token = String(first.body['accessToken']);
    expect((await replica.get('/api/v1/iam/me', token)).status).toBe(200);
    expect(
      (await organization.call('PATCH', `/stations/${gate.id}`, { status: 'disabled' })).body,
    ).toMatchObject({ status: 'disabled' });
    expect(await me(token)).toBe(401);
    await eventually(
      'the other replica refuses',
      async () => (await replica.get('/api/v1/iam/me', token)).status === 401,
      1_000,
    );
    expect((await gate.refresh(String(first.body['refreshToken']))).status).toBe(401);
    await organization.call('PATCH', `/stations/${gate.id}`, { status: 'active' });
    const second = await signIn(ada, gate);
    expect(second.status).toBe(200);
    expect((await organization.call('DELETE', `/stations/${gate.id}`)).status).toBe(204);
    expect(await me(second.body['accessToken'])).toBe(401);
  });

  it('is listed and disabled by an operator, at the command line', async () => {
    const gate = await Station.of(organization, { name: 'Dock 9' });
    const { body } = await signIn(ada, gate);
    const at = ['--organization', organization.id];
    const listed = (person: string | null, status: string) => ({
      items: expect.arrayContaining([
        expect.objectContaining({ stationId: gate.id, name: 'Dock 9', status, person }),
      ]) as object[],
    });
    expect(await app.command('station:list', ...at)).toMatchObject(listed(ada.userId, 'active'));
    expect(await app.command('station:disable', ...at, '--station', gate.id)).toEqual({
      stationId: gate.id,
      status: 'disabled',
    });
    expect(await me(body['accessToken'])).toBe(401);
    expect(await app.command('station:list', ...at)).toMatchObject(listed(null, 'disabled'));
    const people = (await app.command('worker:list', ...at)) as { items: object[] };
    expect(people.items).toContainEqual(
      expect.objectContaining({ accountId: ada.userId, number: ada.number, hasPin: true }),
    );
    expect(JSON.stringify(people)).not.toMatch(/Grace|p1\$/);
  });

  it('proves nothing while it is disabled, and locks no PIN', async () => {
    const gate = await Station.of(organization);
    await organization.call('PATCH', `/stations/${gate.id}`, { status: 'disabled' });
    for (const pin of [ada.pin, '918273']) {
      const { status, body } = await signIn({ ...ada, pin }, gate);
      expect([status, body['type']]).toEqual([401, expect.stringContaining('unauthenticated') as string]);
    }
    const [counted] = await app.sql('SELECT pin_failures FROM workers WHERE user_id = $1', [ada.userId]);
    expect(counted).toEqual({ pin_failures: 0 });
  });

  it('ends the session of a person who is suspended or removed', async () => {
    const grace = await hire(organization, station);
    const { body } = await signIn(grace);
    await organization.call('POST', `/members/${grace.userId}/suspend`);
    expect(await me(body['accessToken'])).toBe(401);
    expect((await station.refresh(String(body['refreshToken']))).status).toBe(401);
    await organization.call('POST', `/members/${grace.userId}/restore`);
    const again = await signIn(grace);
    await organization.call('DELETE', `/workers/${grace.userId}`);
    expect(await me(again.body['accessToken'])).toBe(401);
  });

  it('ends all sessions of a person whom a member signs out', async () => {
    const second = await Station.of(organization);
    const grace = await hire(organization, station);
    const tokens = [
      await signIn(grace),
      await signIn(grace, second),
      await signIn(ada, await Station.of(organization)),
    ];
    const alive = () => Promise.all(tokens.map(({ body }) => me(body['accessToken'])));
    expect(await alive()).toEqual([200, 200, 200]);
    const path = `/workers/${grace.userId}/sign-out`;
    const member = await organization.join('member');
    expect((await organization.call('POST', path, undefined, member.token)).status).toBe(403);
    expect((await organization.call('POST', path)).status).toBe(204);
    expect(await alive()).toEqual([401, 401, 200]);
    expect((await second.refresh(String(tokens[1]!.body['refreshToken']))).status).toBe(401);
    expect((await signIn(grace)).status).toBe(200);
    const events = await organization.call('GET', '/audit-events?action=worker.signed-out');
    expect(events.body['items']).toMatchObject([{ subject: `iam/workers/${grace.userId}` }]);
  });

  it('lets in whom the policy names', async () => {
    const other = await Organization.found(app);
    await openStations(other);
    const gate = await Station.of(other);
    const grace = await hire(other, gate);
    const refreshToken = String((await signIn(grace, gate)).body['refreshToken']);
    await other.call('PUT', '/sign-in-policy', { stations: 'off' });
    expect((await signIn(grace, gate)).status).toBe(401);
    expect((await gate.refresh(refreshToken)).status).toBe(401);
    await app.sql("UPDATE accounts SET email = 'g@example.com', email_key = 'g@example.com' WHERE id = $1", [
      grace.userId,
    ]);
    await openStations(other, 'workers');
    expect((await signIn(grace, gate)).status).toBe(401);
    await openStations(other, 'members');
    expect((await signIn(grace, gate)).status).toBe(200);
    await app.sql('UPDATE workers SET until = now() WHERE user_id = $1', [grace.userId]);
    expect((await signIn(grace, gate)).status).toBe(401);
    await app.sql("UPDATE workers SET until = now() + interval '100 seconds' WHERE user_id = $1", [
      grace.userId,
    ]);
    expect(Number((await signIn(grace, gate)).body['refreshExpiresIn'])).toBeLessThanOrEqual(100);
    await app.sql("UPDATE workers SET until = now() + interval '9 days' WHERE user_id = $1", [grace.userId]);
    const { body } = await signIn(grace, gate);
    const [session] = await app.sql(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sessions WHERE id = $1',
      [body['sessionId']],
    );
    expect(session).toEqual({ seconds: 43_200 });
    const strong = byTwoFactors(app, other.owner.token);
    const policy = { stations: 'members', secondFactor: 'required', graceDays: 0 };
    expect((await other.call('PUT', '/sign-in-policy', policy, strong)).status).toBe(200);
    expect(await signIn(grace, gate)).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication' },
    });
  });

  it('takes a number or a badge', async () => {
    const { number, pin } = ada;
    expect((await station.signIn({ pin })).status).toBe(400);
    const { badge } = (await organization.call('POST', `/workers/${ada.userId}/badge`, {})).body;
    expect((await station.signIn({ badge, pin })).status).toBe(200);
    expect((await station.signIn({ badge, number, pin })).status).toBe(400);
  });

  it.each([
    [30_000, 20, 200],
    [-30_000, -1, 401],
  ])('ends access by the clock of the database where its own is %i ms off', async (off, seconds, status) => {
    const grace = await hire(organization, station);
    const { badge } = (await organization.call('POST', `/workers/${grace.userId}/badge`)).body;
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + off);
    try {
      const ends = async (column: string, given: object) => {
        const sql = `UPDATE workers SET ${column} = now() + make_interval(secs => $2) WHERE user_id = $1`;
        await app.sql(sql, [grace.userId, seconds]);
        const answer = await station.signIn({ pin: grace.pin, ...given });
        await app.sql(`UPDATE workers SET ${column} = NULL WHERE user_id = $1`, [grace.userId]);
        return answer;
      };
      const { number } = grace;
      const limited = await ends('until', { number });
      expect(limited.status).toBe(status);
      if (status === 200) expect(Number(limited.body['refreshExpiresIn'])).toBeLessThanOrEqual(20);
      expect((await ends('badge_expires_at', { badge })).status).toBe(status);
      await app.sql('UPDATE workers SET pin_set_by = $2 WHERE user_id = $1', [
        grace.userId,
        organization.owner.person.id,
      ]);
      expect((await ends('pin_expires_at', { number, newPin: '583921' })).status).toBe(status);
    } finally {
      clock.mockRestore();
    }
  });

  it('refreshes only for whom the policy still names', async () => {
    const other = await Organization.found(app);
    await openStations(other, 'members');
    const gate = await Station.of(other);
    const grace = await hire(other, gate);
    const owned = `${ulid()}@example.com`.toLowerCase();
    await app.sql('UPDATE accounts SET email = $2, email_key = $2 WHERE id = $1', [grace.userId, owned]);
    const refreshToken = String((await signIn(grace, gate)).body['refreshToken']);
    const next = String((await gate.refresh(refreshToken)).body['refreshToken']);
    await openStations(other, 'workers');
    expect((await gate.refresh(next)).status).toBe(401);
    await openStations(other, 'members');
    expect((await gate.refresh(next)).status).toBe(200);
  });

  it('refuses a person who is suspended, or gets another PIN, while the PIN is compared', async () => {
    const gate = await Station.of(organization);
    const grace = await hire(organization, gate);
    const hasher = app.app.get(PinHasher, { strict: false });
    const verify = hasher.verify.bind(hasher);
    const suspension = (at: string) =>
      app.sql(`UPDATE accounts SET suspended_at = ${at} WHERE id = $1`, [grace.userId]);
    const set = (status: string) => organization.call('PATCH', `/stations/${gate.id}`, { status });
    const changes: [refuse: () => Promise<unknown>, allow: () => Promise<unknown>][] = [
      [
        () => organization.call('POST', `/workers/${grace.userId}/suspend`),
        () => organization.call('POST', `/workers/${grace.userId}/reinstate`),
      ],
      [() => suspension('now()'), () => suspension('NULL')],
      [() => set('disabled'), () => set('active')],
      [() => resetPin(organization, grace.userId), () => Promise.resolve()],
    ];
    for (const [refuse, allow] of changes) {
      const spy = jest.spyOn(hasher, 'verify').mockImplementationOnce(async (...given) => {
        const isRight = await verify(...given);
        await refuse();
        return isRight;
      });
      expect((await signIn(grace, gate)).status).toBe(401);
      expect(await spy.mock.results.at(-1)?.value).toBe(true);
      spy.mockRestore();
      await allow();
    }
  });

  it('is of no use to another organization, where the same number exists', async () => {
    const other = await Organization.found(app);
    await openStations(other);
    const gate = await Station.of(other);
    await hire(other, gate, { number: ada.number, pin: '627491' });
    expect((await signIn(ada, gate)).status).toBe(401);
    expect((await other.call('GET', `/stations/${station.id}`)).status).toBe(404);
    expect((await other.call('PATCH', `/stations/${station.id}`, { status: 'disabled' })).status).toBe(404);
  });
});

describe('A PIN', () => {
  it('is changed at a sign-in, and must not be guessable', async () => {
    const grace = await hire(organization, station, { number: '482913' });
    const change = async (newPin: string) =>
      (await station.signIn({ number: grace.number, pin: grace.pin, newPin })).status;
    for (const newPin of [
      '111111',
      '123456',
      '987654',
      '123123',
      '121212',
      '112233',
      '159753',
      '482913',
      grace.pin,
    ])
      expect([newPin, await change(newPin)]).toEqual([newPin, 400]);
    expect(await change('12345')).toBe(400);
    expect(await change('816204')).toBe(200);
    expect((await signIn(grace)).status).toBe(401);
    expect((await signIn({ ...grace, pin: '816204' })).status).toBe(200);
  });

  it('is replaced at the first use of a temporary one, within an hour', async () => {
    const grace = await hire(organization, station);
    const temporary = String((await resetPin(organization, grace.userId)).body['temporaryPin']);
    expect((await signIn(grace)).status).toBe(401);
    const refused = await station.signIn({ number: grace.number, pin: temporary });
    expect([refused.status, refused.body['violations']]).toEqual([
      400,
      [expect.objectContaining({ propertyPath: 'newPin' })],
    ]);
    await app.sql('UPDATE workers SET pin_expires_at = now() WHERE user_id = $1', [grace.userId]);
    const late = { number: grace.number, pin: temporary, newPin: '816204' };
    expect((await station.signIn(late)).status).toBe(401);
  });

  it('ends the sessions at stations of who knew the one before, once it is reset', async () => {
    const grace = await hire(organization, station);
    const { body } = await signIn(grace);
    await resetPin(organization, grace.userId);
    expect(await me(body['accessToken'])).toBe(401);
    expect((await station.refresh(String(body['refreshToken']))).status).toBe(401);
  });

  it('is locked by ten wrong ones, of whatever number at once, until a reset', async () => {
    const stations = await Promise.all([1, 2, 3].map(() => Station.of(organization)));
    const grace = await hire(organization, station);
    const wrong = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        signIn({ ...grace, pin: `91827${n % 10}` }, stations[n % 3]).then(({ status }) => status),
      ),
    );
    expect(new Set(wrong)).toEqual(new Set([401]));
    expect((await signIn(grace)).status).toBe(401);
    expect((await organization.call('GET', `/workers/${grace.userId}`)).body).toMatchObject({
      pinLocked: true,
    });
    const [failures] = await app.sql('SELECT pin_failures FROM workers WHERE user_id = $1', [grace.userId]);
    expect(failures).toEqual({ pin_failures: 10 });
    const events = await organization.call('GET', '/audit-events?action=worker.pin-locked');
    expect(events.body['items']).toMatchObject([{ subject: `iam/workers/${grace.userId}` }]);
    const temporary = String((await resetPin(organization, grace.userId)).body['temporaryPin']);
    const given = { number: grace.number, pin: temporary, newPin: '816204' };
    expect((await station.signIn(given)).status).toBe(200);
  });

  it('is not told from an unknown number, a locked PIN and a suspended person', async () => {
    const grace = await hire(organization, station);
    const answers = [await station.signIn({ number: 'unknown', pin: '918273' })];
    answers.push(await signIn({ ...grace, pin: '918273' }));
    await organization.call('POST', `/workers/${grace.userId}/suspend`);
    answers.push(await signIn(grace));
    await app.sql('UPDATE workers SET pin_failures = 10 WHERE user_id = $1', [grace.userId]);
    answers.push(await signIn(grace));
    const bodies = answers.map(({ status, body }) => [status, body['type'], body['detail']]);
    for (const one of bodies) expect(one).toEqual(bodies[0]);
    expect(bodies[0]?.[0]).toBe(401);
  });

  it('locks a station by thirty wrong ones in ten minutes, until an administrator lifts it', async () => {
    const other = await Organization.found(app);
    await openStations(other);
    const gate = await Station.of(other);
    const grace = await hire(other, gate);
    const tries = await Promise.all(
      Array.from({ length: 40 }, (_, n) => gate.signIn({ number: `unknown-${n}`, pin: '918273' })),
    );
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await signIn(grace, gate)).status).toBe(401);
    expect((await other.call('GET', `/stations/${gate.id}`)).body).toMatchObject({ status: 'locked' });
    await app.sql("UPDATE stations SET failed_at = '{}' WHERE id = $1", [gate.id]);
    expect((await signIn(grace, gate)).status).toBe(401); // no time lifts it
    for (let n = 0; n < 10; n += 1) await signIn({ ...grace, pin: '918273' }, gate);
    expect((await other.call('GET', `/workers/${grace.userId}`)).body).toMatchObject({ pinLocked: false });
    await app.sql('UPDATE stations SET failed_at = array_fill(now(), ARRAY[30]) WHERE id = $1', [gate.id]);
    await other.call('PATCH', `/stations/${gate.id}`, { status: 'active' });
    expect((await signIn(grace, gate)).status).toBe(200);
    const events = await other.call('GET', '/audit-events?action=station.locked');
    expect(events.body['items']).toHaveLength(1);
    // The attempts count before the station is locked.
    await app.sql('UPDATE stations SET failed_at = array_fill(now(), ARRAY[30]) WHERE id = $1', [gate.id]);
    expect((await signIn(grace, gate)).status).toBe(401);
  });

  it('brakes an organization with a hundred wrong ones in ten minutes', async () => {
    const other = await Organization.found(app);
    await openStations(other);
    const gate = await Station.of(other);
    const grace = await hire(other, gate);
    await Station.of(other);
    await app.sql(
      'UPDATE stations SET failed_at = array_fill(now(), ARRAY[50]) WHERE tenant_id = $1 AND id <> $2',
      [other.id, gate.id],
    );
    expect((await signIn(grace, gate)).status).toBe(200);
    await app.sql(
      'UPDATE stations SET failed_at = array_fill(now(), ARRAY[100]) WHERE tenant_id = $1 AND id <> $2',
      [other.id, gate.id],
    );
    // Stations that have no device raise no limit.
    for (let n = 0; n < 20; n += 1) await other.call('POST', '/stations', { name: `Pending ${n}` });
    const braked = await signIn(grace, gate);
    expect([braked.status, braked.headers.get('retry-after')]).toEqual([429, '60']);
    await app.sql(
      "UPDATE stations SET failed_at = array_fill(now() - interval '11 minutes', ARRAY[100]) WHERE tenant_id = $1",
      [other.id],
    );
    expect((await signIn(grace, gate)).status).toBe(200);
  });
});

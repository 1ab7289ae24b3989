import { ulid } from 'ulid';
import { roundsOf } from '../../support/long.js';
import { Organization, Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { ScimDirectory, USER_SCHEMA, verifyDomain } from '../../support/scim-directory.js';
import { openStations, resetPin, Station } from '../../support/station.js';
import { eventually, itemsOf, type TestApp } from '../../support/test-app.js';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const BULK = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const RECORDS = roundsOf({ short: 60, long: 1_000 });
const OF_BULK = 200;
const MANY_MS = 300_000;
const PIN = '705318';

interface Record {
  readonly id: string;
  readonly userName: string;
  readonly state: string;
  readonly reason: string | null;
  readonly userId: string | null;
}
interface Worker {
  readonly userId: string;
  readonly number: string;
  readonly firstName: string | null;
  readonly status: string;
  readonly roles: string[];
}

/** A person without an address, as a directory sends them. */
const personOf = (number: string | null, more: object = {}) => ({
  schemas: [USER_SCHEMA],
  userName: ulid(),
  active: true,
  name: { givenName: 'Grace' },
  ...(number !== null && { [ENTERPRISE]: { employeeNumber: number } }),
  ...more,
});

describe('A directory makes workers of people without an address', () => {
  let replicas: Replicas;
  let app: TestApp;
  let acme: Organization;
  let station: Station;
  let directory: ScimDirectory;
  beforeAll(async () => {
    replicas = await Replicas.start();
    ({ app } = replicas);
    acme = await Organization.found(app);
    await openStations(acme);
    station = await Station.of(acme);
    directory = await ScimDirectory.create(acme, { withoutAddress: 'worker' });
  });
  afterAll(() => replicas.stop());

  const send = async (body: object, to = directory): Promise<string> => {
    const answer = await to.call('POST', '/Users', body);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return String(answer.body['id']);
  };
  const recordOf = async (id: string, { organization, id: of } = directory): Promise<Record> => {
    const records = itemsOf<Record>(await organization.call('GET', `/directories/${of}/users?limit=100`));
    return records.find((record) => record.id === id)!;
  };
  const workerOf = async (userId: unknown, of = acme): Promise<Worker> =>
    (await of.call('GET', `/workers/${String(userId)}`)).body as unknown as Worker;
  const replace = (id: string, op: string, path: string, value?: unknown) =>
    directory.patch(`/Users/${id}`, { op, path, ...(value !== undefined && { value }) });
  const numberPath = `${ENTERPRISE}:employeeNumber`;
  /** Gives a worker a PIN, and signs in. */
  const start = async ({ userId, number }: Worker) => {
    const temporary = String((await resetPin(acme, userId)).body['temporaryPin']);
    return station.signIn({ number, pin: temporary, newPin: PIN });
  };
  const me = async (token: unknown, at = app) => (await at.get('/api/v1/iam/me', String(token))).status;
  const actions = async (subject: string) =>
    itemsOf<{ action: string; actorId: string; subject: string }>(
      await acme.call('GET', '/audit-events?limit=100'),
    )
      .filter((event) => event.subject === subject)
      .map(({ action, actorId }) => [action, actorId]);

  it('by employeeNumber, externalId or userName', async () => {
    const ids = [
      await send(personOf('E-1', { externalId: 'X-1' })),
      await send(personOf(null, { externalId: 'X-2' })),
      await send(personOf(null, { userName: 'u.3' })),
    ];
    const records = await Promise.all(ids.map((id) => recordOf(id)));
    expect(records).toMatchObject(Array(3).fill({ state: 'linked', reason: null }));
    const workers = await Promise.all(records.map(({ userId }) => workerOf(userId)));
    expect(workers.map(({ number }) => number)).toEqual(['E-1', 'X-2', 'u.3']);
    expect(workers[0]).toMatchObject({ firstName: 'Grace', status: 'active', roles: ['member'] });
    expect(await actions(`iam/workers/${workers[0]!.userId}`)).toEqual([['worker.created', directory.id]]);
  });

  it('only where it is set up so, also those who have waited', async () => {
    const waiting = await ScimDirectory.create(acme);
    const id = await send(personOf('W-1'), waiting);
    expect(await recordOf(id, waiting)).toMatchObject({
      state: 'pending',
      reason: 'no-address',
      userId: null,
    });
    const path = `/directories/${waiting.id}`;
    expect((await acme.call('GET', path)).body).toMatchObject({ withoutAddress: 'wait' });
    expect((await acme.call('PATCH', path, { withoutAddress: 'never' })).status).toBe(400);
    const changed = await acme.call('PATCH', path, { withoutAddress: 'worker' });
    expect(changed.body).toMatchObject({ withoutAddress: 'worker', onDelete: 'suspend' });
    await eventually('the person is a worker', async () => (await recordOf(id, waiting)).state === 'linked');
    const { userId } = await recordOf(id, waiting);
    expect(await workerOf(userId)).toMatchObject({ number: 'W-1' });
  });

  it('and says which number it cannot give', async () => {
    const taken = (await acme.call('POST', '/workers', { number: 'T-1', firstName: 'A', roles: ['member'] }))
      .body['userId'];
    const [second, invalid] = [await send(personOf('t-1')), await send(personOf('no spaces'))];
    expect(await recordOf(second)).toMatchObject({ state: 'pending', reason: 'number-taken', userId: null });
    expect(await recordOf(invalid)).toMatchObject({ state: 'pending', reason: 'number-invalid' });
    const left = await send(personOf('L-1', { active: false }));
    expect(await recordOf(left)).toMatchObject({ state: 'pending', reason: 'inactive', userId: null });
    await replace(invalid, 'replace', numberPath, 'I-1');
    expect(await recordOf(invalid)).toMatchObject({ state: 'linked', reason: null });
    expect((await acme.call('DELETE', `/workers/${taken}`)).status).toBe(204);
    const retried = await acme.call('POST', `/directories/${directory.id}/users/${second}/retry`);
    expect(retried.status).toBe(202);
    await eventually('the number is given', async () => (await recordOf(second)).state === 'linked');
  });

  it('and gives a number once, of twenty records that are sent at once', async () => {
    const number = `R-${ulid()}`;
    const ids = await Promise.all(Array.from({ length: 20 }, () => send(personOf(number))));
    const records = await Promise.all(ids.map((id) => recordOf(id)));
    const reasons = records.map(({ state, reason }) => `${state} ${reason}`).toSorted();
    expect(reasons).toEqual(['linked null', ...Array<string>(19).fill('pending number-taken')]);
    expect(
      await app.sql(
        'SELECT 1 FROM accounts a WHERE email IS NULL AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = a.id) AND erased_at IS NULL',
      ),
    ).toEqual([]);
  });

  it('and gives it once, of twenty records that have waited for it', async () => {
    const number = `Q-${ulid()}`;
    const given = { number, firstName: 'A', roles: ['member'] };
    const { userId } = (await acme.call('POST', '/workers', given)).body;
    const ids = await Promise.all(Array.from({ length: 20 }, () => send(personOf(number))));
    expect((await acme.call('DELETE', `/workers/${userId}`)).status).toBe(204);
    await Promise.all(ids.map((id) => replace(id, 'replace', 'title', 'Picker')));
    const records = await Promise.all(ids.map((id) => recordOf(id)));
    const reasons = records.map(({ state, reason }) => `${state} ${reason}`).toSorted();
    expect(reasons).toEqual(['linked null', ...Array<string>(19).fill('pending number-taken')]);
  });

  it('and of no person with an address', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    const person = await Person.signUp(app, `ada@${domain}`);
    const ids = [
      await send(personOf(null, { userName: person.email })),
      await send(personOf(null, { userName: `grace@${domain}` })),
    ];
    for (const id of ids) await replace(id, 'replace', 'title', 'Picker');
    // The account of the first is not the directory's, so that it follows no number.
    await replace(ids[0]!, 'replace', 'userName', 'no address');
    const records = await Promise.all(ids.map((id) => recordOf(id)));
    expect(records).toMatchObject(Array(2).fill({ state: 'linked', reason: null }));
    for (const { userId } of records) expect((await acme.call('GET', `/workers/${userId}`)).status).toBe(404);
  });

  it('and follows the number, as far as it is free', async () => {
    const [one, other] = [await send(personOf('N-1')), await send(personOf('N-2'))];
    const { userId } = await recordOf(one);
    await replace(one, 'replace', numberPath, 'n-9');
    expect(await workerOf(userId)).toMatchObject({ number: 'n-9' });
    await replace(one, 'replace', numberPath, 'N-9');
    expect(await workerOf(userId)).toMatchObject({ number: 'N-9' });
    await replace(one, 'replace', numberPath, 'N-2');
    expect(await recordOf(one)).toMatchObject({ state: 'linked', reason: 'number-taken', userId });
    expect(await workerOf(userId)).toMatchObject({ number: 'N-9', status: 'active' });
    await directory.call('DELETE', `/Users/${other}`);
    await replace(one, 'replace', 'name.familyName', 'Hopper');
    expect(await recordOf(one)).toMatchObject({ reason: null });
    expect(await workerOf(userId)).toMatchObject({ number: 'N-2', lastName: 'Hopper' });
    expect(await actions(`iam/workers/${userId}`)).toEqual([
      ...Array<unknown>(3).fill(['worker.updated', directory.id]),
      ['worker.created', directory.id],
    ]);
  });

  it('with the roles of their groups', async () => {
    const role = { key: 'picker', name: 'Picker', scopes: ['iam:member:read'] };
    expect((await acme.call('POST', '/roles', role)).status).toBe(201);
    const rules = [{ group: 'Pickers', roles: ['picker'] }];
    expect((await acme.call('PUT', `/directories/${directory.id}/rules`, { rules })).status).toBe(200);
    const id = await send(personOf('G-1'));
    const { userId } = await recordOf(id);
    const group = await directory.call('POST', '/Groups', {
      displayName: 'Pickers',
      members: [{ value: id }],
    });
    expect((await workerOf(userId)).roles).toEqual(['picker']);
    await directory.call('DELETE', `/Groups/${String(group.body['id'])}`);
    expect((await workerOf(userId)).roles).toEqual(['member']);
  });

  it('and ends their session with their activity, within a second on each replica', async () => {
    const id = await send(personOf('D-1'));
    const worker = await workerOf((await recordOf(id)).userId);
    const { body } = await start(worker);
    expect(await me(body['accessToken'])).toBe(200);
    expect(await me(body['accessToken'], replicas.other)).toBe(200);
    await replace(id, 'replace', 'active', false);
    expect(await me(body['accessToken'])).toBe(401);
    await eventually(
      'the other replica refuses',
      async () => (await me(body['accessToken'], replicas.other)) === 401,
      1_000,
    );
    expect((await station.refresh(String(body['refreshToken']))).status).toBe(401);
    const given = { number: worker.number, pin: PIN };
    expect((await station.signIn(given)).status).toBe(401);
    await replace(id, 'replace', 'active', true);
    expect((await station.signIn(given)).status).toBe(200);
  });

  it('and does not activate whom an administrator has suspended', async () => {
    const id = await send(personOf('S-1'));
    const { userId } = await recordOf(id);
    await replace(id, 'replace', 'active', false);
    expect((await acme.call('POST', `/workers/${userId}/reinstate`)).status).toBe(204);
    expect((await acme.call('POST', `/workers/${userId}/suspend`)).status).toBe(204);
    await replace(id, 'replace', 'active', true);
    expect(await workerOf(userId)).toMatchObject({ status: 'suspended' });
  });

  it('and knows a person again by the number, without PIN and badge', async () => {
    const id = await send(personOf('B-1'));
    const { userId } = await recordOf(id);
    const worker = await workerOf(userId);
    const { body } = await start(worker);
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await me(body['accessToken'])).toBe(401);
    expect((await acme.call('GET', `/workers/${userId}`)).status).toBe(404);
    const other = await Organization.found(app);
    const foreign = await ScimDirectory.create(other, { withoutAddress: 'worker' });
    const foreigner = await recordOf(await send(personOf('B-1'), foreign), foreign);
    expect(foreigner.state).toBe('linked');
    expect(foreigner.userId).not.toBe(userId);
    const again = await recordOf(await send(personOf('b-1', { name: { givenName: 'Ada' } })));
    expect(again).toMatchObject({ state: 'linked', userId });
    expect(await workerOf(userId)).toMatchObject({ number: 'b-1', firstName: 'Ada', hasPin: false });
    expect((await station.signIn({ number: worker.number, pin: PIN })).status).toBe(401);
    expect((await start(await workerOf(userId))).status).toBe(200);
  });

  it('and erases whom it removes, where it is set up so', async () => {
    const erasing = await ScimDirectory.create(acme, { withoutAddress: 'worker', onDelete: 'erase' });
    const [id, held] = [await send(personOf('Z-1'), erasing), await send(personOf('Z-2'), erasing)];
    const [{ userId }, { userId: heldId }] = [await recordOf(id, erasing), await recordOf(held, erasing)];
    const other = await Organization.found(app);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [other.id, heldId]);
    for (const one of [id, held]) expect((await erasing.call('DELETE', `/Users/${one}`)).status).toBe(204);
    const accounts = await app.sql(
      'SELECT id, erased_at IS NULL AS exists FROM accounts WHERE id = ANY($1)',
      [[userId, heldId]],
    );
    expect(accounts).toEqual(
      expect.arrayContaining([
        { id: userId, exists: false },
        { id: heldId, exists: true },
      ]),
    );
    expect((await recordOf(await send(personOf('Z-1'), erasing), erasing)).userId).not.toBe(userId);
  });

  it('who own their account once an address of a verified domain is sent', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    const id = await send(personOf('A-1'));
    const { userId } = await recordOf(id);
    const value = `grace@${domain}`;
    await replace(id, 'add', 'emails', [{ value, primary: true }]);
    expect(await workerOf(userId)).toMatchObject({ number: 'A-1', email: null });
    await verifyDomain(acme, domain);
    await acme.call('POST', `/directories/${directory.id}/users/${id}/retry`);
    await eventually(
      'the account has the address',
      async () => (await acme.call('GET', `/workers/${userId}`)).body['email'] === value,
    );
    expect(await recordOf(id)).toMatchObject({ state: 'linked', reason: null, userId });
    expect((await acme.call('PATCH', `/workers/${userId}`, { firstName: 'Eve' })).status).toBe(409);
  });

  it('and gives no address to a person who belongs to another organization as well', async () => {
    const domain = `${ulid().toLowerCase()}.example`;
    await verifyDomain(acme, domain);
    const id = await send(personOf('A-2'));
    const { userId } = await recordOf(id);
    const other = await Organization.found(app);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [other.id, userId]);
    await replace(id, 'add', 'emails', [{ value: `ada@${domain}`, primary: true }]);
    expect(await workerOf(userId)).toMatchObject({ email: null });
  });

  it(
    'of a thousand records, whose deactivation ends what they do at stations within a second',
    async () => {
      const many = await Organization.found(app);
      await openStations(many);
      const sent = await ScimDirectory.create(many, { withoutAddress: 'worker' });
      const bulk = async (operations: object[]) => {
        const ids: string[] = [];
        for (let n = 0; n < operations.length; n += OF_BULK) {
          const Operations = operations.slice(n, n + OF_BULK);
          const { body } = await sent.call('POST', '/Bulk', { schemas: [BULK], Operations });
          const answers = body['Operations'] as { status: string; location: string }[];
          expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
          ids.push(...answers.map(({ location }) => location.split('/').at(-1)!));
        }
        return ids;
      };
      const deactivate = (ids: readonly string[]) =>
        bulk(
          ids.map((id) => ({
            method: 'PATCH',
            path: `/Users/${id}`,
            data: { Operations: [{ op: 'replace', path: 'active', value: false }] },
          })),
        );
      const numbers = Array.from({ length: RECORDS }, (_, n) => `${n}`);
      const ids = await bulk(
        numbers.map((number) => ({ method: 'POST', path: '/Users', bulkId: number, data: personOf(number) })),
      );
      const statuses = () =>
        app.sql<{ status: string; count: number }>(
          'SELECT status, count(*)::int AS count FROM members JOIN workers USING (tenant_id, user_id) WHERE tenant_id = $1 GROUP BY status ORDER BY status',
          [many.id],
        );
      expect(await statuses()).toEqual([{ status: 'active', count: RECORDS }]);
      // The first, the last, and those at the borders of the requests that deactivate them.
      const present = [0, 1, OF_BULK - 1, OF_BULK, RECORDS - 1].filter((n) => n < RECORDS);
      const signedIn = await Promise.all(
        present.map(async (n) => {
          const gate = await Station.of(many);
          const found = itemsOf<Worker>(await many.call('GET', `/workers?query=${n}`));
          const { userId } = found.find(({ number }) => number === String(n))!;
          const temporary = String((await resetPin(many, userId)).body['temporaryPin']);
          const answer = await gate.signIn({ number: String(n), pin: temporary, newPin: PIN });
          expect(answer.status).toBe(200);
          const { accessToken, refreshToken } = answer.body;
          expect(await me(accessToken, replicas.other)).toBe(200);
          return { n, gate, accessToken, refreshToken: String(refreshToken) };
        }),
      );
      const isOver = async ({ n, gate, accessToken, refreshToken }: (typeof signedIn)[0]) => {
        const isRefused = async () => (await me(accessToken, replicas.other)) === 401;
        expect(await me(accessToken)).toBe(401);
        await eventually('the other replica refuses', isRefused, 1_000);
        expect((await gate.refresh(refreshToken)).status).toBe(401);
        expect((await gate.signIn({ number: String(n), pin: PIN })).status).toBe(401);
      };
      const [one, ...others] = signedIn;
      await deactivate([ids[one!.n]!]);
      await isOver(one!);
      for (const { accessToken } of others) expect(await me(accessToken)).toBe(200);
      await deactivate(ids.filter((_, n) => n !== one!.n));
      await Promise.all(others.map(isOver));
      expect(await statuses()).toEqual([{ status: 'suspended', count: RECORDS }]);
    },
    MANY_MS,
  );
});

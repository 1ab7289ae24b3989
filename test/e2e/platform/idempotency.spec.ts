import { randomBytes } from 'node:crypto';
import { Controller, Module, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Client } from 'pg';
import { Creates } from '../../../src/iam/index.js';
import { Bearer, Output } from '../../../src/platform/api/index.js';
import { IdempotentResponseRepository } from '../../../src/iam/idempotency/idempotent-response.repository.js';
import { newId, type UserId } from '../../../src/kernel/index.js';
import { age } from '../../support/ageing.js';
import { Organization, Person } from '../../support/organization.js';
import { signUpOperator, TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const TENANTS = '/api/v1/iam/tenants';
const KEY = '3f1c2a9e-6f0f-4d5c-8a57-1f6d2f1f8d10';

const COOKIES = {
  'Set-Cookie': { description: 'Cookies.', schema: { type: 'string' as const, maxLength: 300 } },
};

class BerthResponse {
  @Output.ulid({ description: 'Id of the berth.' })
  id: string;
}

/** Another team's route: sets a cookie for a minute, one without an end, and removes two. */
@Controller('api/v1/berths')
class BerthsController {
  @Post()
  @Bearer('app')
  @Creates(BerthResponse, '/api/v1/berths/{id}', COOKIES)
  create(@Res({ passthrough: true }) response: Response): BerthResponse {
    response.cookie('minute', '1', { maxAge: 60_000 }).cookie('session', '1');
    response.cookie('left', '', { maxAge: 0 }).clearCookie('cleared');
    return { id: newId() };
  }
}

@Module({ controllers: [BerthsController] })
class BerthsModule {}

it('A repeated request removes cookies again, and sets those that are still valid', async () => {
  const app = await TestApp.start({}, false, [BerthsModule]);
  try {
    const { token } = await Person.signUp(app);
    const names = async () => {
      const headers = { 'idempotency-key': KEY };
      const answer = await app.call('POST', '/api/v1/berths', undefined, { token, headers });
      expect(answer.status).toBe(201);
      return answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
    };
    expect(await names()).toEqual(['minute', 'session', 'left', 'cleared']);
    expect(await names()).toEqual(['minute', 'session', 'left', 'cleared']);
    await age(app, 'idempotent_responses', 61);
    expect(await names()).toEqual(['session', 'left', 'cleared']);
  } finally {
    await app.stop();
  }
});

describe('A creating request', () => {
  let app: TestApp;
  let ada: Person;
  let token: string;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    ada = await Person.signUp(app);
    token = ada.token;
  });

  const create = (name: string, key?: string, as = token) =>
    app.call(
      'POST',
      TENANTS,
      { name },
      {
        token: as,
        headers: key === undefined ? {} : { 'idempotency-key': key },
      },
    );
  const names = async (as = token) =>
    itemsOf<{ name: string }>(await app.get('/api/v1/iam/me/tenants', as)).map(({ name }) => name);
  const keptResponses = () => app.sql('SELECT * FROM idempotent_responses WHERE account_id = $1', [ada.id]);

  it('says where the new resource is', async () => {
    const { body, headers } = await create('Quayside');
    const location = headers.get('location') ?? '';
    expect(location).toBe(`${TENANTS}/${String(body['id'])}`);
    expect(headers.has('idempotency-replayed')).toBe(false);
    const own = await ada.select(String(body['id']));
    expect((await app.get(location, own)).body).toEqual(body);
  });

  it('creates something each time without a key, and keeps nothing', async () => {
    await create('Quayside');
    await create('Quayside');
    expect(await names()).toEqual(['Quayside', 'Quayside']);
    expect(await keptResponses()).toEqual([]);
  });

  it('gets the same response with the same key, and creates nothing again', async () => {
    const first = await create('Quayside', KEY);
    const second = await create('Quayside', KEY);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await names()).toEqual(['Quayside']);
  });

  it('is refused with the key of another request', async () => {
    await create('Quayside', KEY);
    const { status, body } = await create('Dockside', KEY);
    expect([status, body['type']]).toEqual([422, '/errors/idempotency-key-reused']);
    expect(await names()).toEqual(['Quayside']);
  });

  it('is not mistaken for a request of another path, account or tenant', async () => {
    const { path, owner } = await Organization.found(app, ada);
    const headers = { 'idempotency-key': KEY };
    const role = { name: 'Clerk', key: 'clerk', scopes: ['iam:tenant:read'] };
    expect((await app.call('POST', `${path}/roles`, role, { token: owner.token, headers })).status).toBe(201);
    expect((await create('Quayside', KEY)).status).toBe(422);
    const bob = await Person.signUp(app);
    expect((await create('Quayside', KEY, bob.token)).status).toBe(201);
    expect(await names(bob.token)).toEqual(['Quayside']);
  });

  it('is not mistaken for one that another client sent for the same account', async () => {
    await signUpOperator(app);
    const { path, owner } = await Organization.found(app, ada);
    const satellite = await TestSatellite.withScopes(app, 'iam:role:create', 'iam:tenant:read');
    const { accessToken } = await satellite.signIn(owner.token);
    const send = (name: string, as: string) => {
      const role = { name, key: name.toLowerCase(), scopes: ['iam:tenant:read'] };
      return app.call('POST', `${path}/roles`, role, { token: as, headers: { 'idempotency-key': KEY } });
    };
    expect((await send('Clerk', owner.token)).status).toBe(201);
    const other = await send('Picker', accessToken);
    expect([other.status, other.body['name']]).toEqual([201, 'Picker']);
  });

  it('is done again after a failure', async () => {
    const refused = await create('', KEY);
    expect(refused.status).toBe(400);
    expect((await create('Quayside', KEY)).status).toBe(201);
  });

  it('of which twenty arrive together is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('Quayside', KEY)));
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body['id']));
    expect(ids.size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await names()).toEqual(['Quayside']);
  });

  it('is 409 while an equal one is under way', async () => {
    const other = new Client(app.databaseUrl);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE tenants IN EXCLUSIVE MODE');
    const first = create('Quayside', KEY);
    await eventually('it waits', async () => (await app.waitingForLocks()) === 1);
    const second = await create('Quayside', KEY);
    await other.end();
    expect([second.status, second.body['type']]).toEqual([409, '/errors/conflict']);
    expect((await first).status).toBe(201);
    expect(await names()).toEqual(['Quayside']);
  });

  it('gets the same response after a change of the root secret', async () => {
    const [before, after] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
    const old = await TestApp.start({ ROOT_SECRET: before });
    const { token: as } = await Person.signUp(old);
    const send = (service: TestApp, name: string) =>
      service.call('POST', TENANTS, { name }, { token: as, headers: { 'idempotency-key': KEY } });
    const first = await send(old, 'Quayside');
    const changed = await TestApp.start({
      DATABASE_URL: old.databaseUrl,
      ROOT_SECRET: after,
      ROOT_SECRET_PREVIOUS: before,
    });
    const second = await send(changed, 'Quayside');
    expect([second.headers.get('idempotency-replayed'), second.body]).toEqual(['true', first.body]);
    expect((await send(changed, 'Dockside')).status).toBe(422);
    await changed.stop();
    await old.stop();
  });

  it('can use the key for another request after 24 hours', async () => {
    await create('Quayside', KEY);
    await app.sql("UPDATE idempotent_responses SET expires_at = expires_at - interval '24 hours'");
    expect((await create('Dockside', KEY)).status).toBe(201);
    expect(await names()).toEqual(['Quayside', 'Dockside']);
    const [kept] = await app.sql<{ hours: number }>(
      'SELECT extract(epoch FROM expires_at - now()) / 3600 AS hours FROM idempotent_responses WHERE account_id = $1',
      [ada.id],
    );
    expect(Math.round(Number(kept?.hours))).toBe(24);
  });

  it.each(['short77', 'x'.repeat(256), 'tab\tin-the-key', 'umlaut-\u00fc-key'])(
    'is refused with the key %j',
    async (key) => {
      const { status, body } = await create('Quayside', key);
      expect([status, body['violations']]).toEqual([
        400,
        [
          {
            propertyPath: 'Idempotency-Key',
            message: 'must be one value of 8 to 255 visible ASCII characters',
          },
        ],
      ]);
      expect(await names()).toEqual([]);
    },
  );

  it.each(['8letters', 'x'.repeat(255)])('is done with the key %j', async (key) => {
    expect((await create('Quayside', key)).status).toBe(201);
  });

  it('keeps no readable response', async () => {
    await create('Secret harbour', KEY);
    const [kept] = await keptResponses();
    expect(Object.keys(kept ?? {})).toContain('sealed');
    expect(JSON.stringify(kept)).not.toContain('Secret harbour');
    expect(JSON.stringify(kept)).not.toContain(KEY);
  });

  it('leaves nothing behind when its account is erased', async () => {
    await create('Quayside', KEY);
    const { accessToken } = await app.login(ada);
    const erased = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: accessToken });
    expect(erased.status).toBe(204);
    expect(await keptResponses()).toEqual([]);
    // A parallel request that ends after the erasure keeps nothing either.
    const hash = Buffer.alloc(32);
    const late = { accountId: ada.id as UserId, keyHash: hash, requestHash: hash, sealed: '' };
    await app.app.get(IdempotentResponseRepository).keep(late, true);
    expect(await keptResponses()).toEqual([]);
  });
});

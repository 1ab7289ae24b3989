import { AsyncLocalStorage } from 'node:async_hooks';
import { DisabledClientRepository } from '../../src/client/status/disabled-client.repository.js';
import { MemberRepository } from '../../src/iam/organizations/members/member.repository.js';
import { GrantRefreshRepository } from '../../src/session/grants/grant-refresh.repository.js';
import { GrantRepository } from '../../src/session/grants/grant.repository.js';
import { SessionRepository } from '../../src/session/sessions/session.repository.js';
import { Database } from '../../src/platform/database/database.js';
import { FIRST_PARTY_CLIENT } from '../../src/kernel/index.js';
import type { Locked } from '../../src/kernel/locks.js';
import type { SessionId, TenantId, UserId } from '../../src/kernel/principal.js';
import { age } from '../support/ageing.js';
import { statementsOf } from '../support/plans.js';
import { withApp } from '../support/test-app.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const CLIENT = { ipAddress: '203.0.113.7', userAgent: null, locale: null };
const SHOP = 'shop';

// The rows of two people stand next to each other, so that a statement without one of its
// conditions reaches a row too many.
let database: Database;
let sessions: SessionRepository;
let grants: GrantRepository;
let refreshes: GrantRefreshRepository;
let counter = 0;
const app = withApp();
beforeAll(async () => {
  database = app.app.get(Database, { strict: false });
  sessions = app.app.get(SessionRepository, { strict: false });
  grants = app.app.get(GrantRepository, { strict: false });
  refreshes = app.app.get(GrantRefreshRepository, { strict: false });
});

const nextId = (kind: string): string => `${kind}-${String((counter += 1)).padStart(6, '0')}`;

async function newAccount(): Promise<UserId> {
  const id = nextId('account') as UserId;
  await app.sql('INSERT INTO accounts (id) VALUES ($1)', [id]);
  return id;
}

async function newSession(accountId: UserId, lifetime = DAY): Promise<SessionId> {
  const id = nextId('session') as SessionId;
  await app.sql(
    `INSERT INTO sessions (id, account_id, amr, ip_address, expires_at)
     VALUES ($1, $2, '{pwd}', $3, now() + make_interval(secs => $4))`,
    [id, accountId, CLIENT.ipAddress, lifetime],
  );
  return id;
}

async function newGrant(
  accountId: UserId,
  sessionId: SessionId,
  { clientId = FIRST_PARTY_CLIENT as string, idle = HOUR } = {},
): Promise<string> {
  const id = nextId('grant');
  await app.sql(
    `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
    [id, sessionId, accountId, clientId, idle],
  );
  return id;
}

async function newMembership(userId: UserId): Promise<TenantId> {
  const id = nextId('tenant') as TenantId;
  await app.sql('INSERT INTO tenants (id, name) VALUES ($1, $1)', [id]);
  await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [id, userId]);
  return id;
}

/** A person with a session, a grant and a tenant. */
async function newPerson({ clientId = FIRST_PARTY_CLIENT as string } = {}) {
  const accountId = await newAccount();
  const sessionId = await newSession(accountId);
  const grantId = await newGrant(accountId, sessionId, { clientId });
  return { accountId, sessionId, grantId, tenantId: await newMembership(accountId) };
}

const end = (table: 'sessions' | 'grants', id: string) =>
  app.sql(`UPDATE ${table} SET ended_at = now() WHERE id = $1`, [id]);
const tenantOf = async (grantId: string) =>
  (
    await app.sql<{ tenant: string | null }>('SELECT tenant_id AS tenant FROM grants WHERE id = $1', [
      grantId,
    ])
  )[0]?.tenant;
const setTenant = (grantId: string, tenantId: string) =>
  app.sql('UPDATE grants SET tenant_id = $2 WHERE id = $1', [grantId, tenantId]);
const disable = (clientId: string) => app.sql('INSERT INTO disabled_clients VALUES ($1)', [clientId]);
const enable = (clientId: string) => app.sql('DELETE FROM disabled_clients WHERE client_id = $1', [clientId]);

/** Tells whether the open transaction keeps others from locking the row like this. */
async function isLocked(table: string, id: string, how = 'FOR UPDATE'): Promise<boolean> {
  return app
    .sql(`SELECT 1 FROM ${table} WHERE id = $1 ${how} NOWAIT`, [id])
    .then(() => false)
    .catch((error: { code?: string }) => {
      if (error.code === '55P03') return true;
      throw error;
    });
}

const rotate = (grantId: string, generation = 1, clientId = FIRST_PARTY_CLIENT as string) =>
  refreshes.rotate({ grantId, generation, clientId, idleSeconds: HOUR, ofOpenId: false });

describe('A rotation', () => {
  it('moves this grant alone, and only from its generation and for its client', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    expect(await rotate(one.grantId, 2)).toBeNull();
    expect(await rotate(one.grantId, 1, SHOP)).toBeNull();
    expect(await rotate(one.grantId)).toMatchObject({ grantId: one.grantId, generation: 2 });
    expect(await rotate(one.grantId)).toBeNull();
    expect(await grants.findAlive(other.grantId)).toMatchObject({ generation: 1 });
  });

  it('does not reach a grant that has ended or was idle too long', async () => {
    const [ended, idle] = [await newPerson(), await newPerson()];
    await end('grants', ended.grantId);
    await age(app, 'grants', HOUR, 'id = $1', [idle.grantId]);
    expect(await rotate(ended.grantId)).toBeNull();
    expect(await rotate(idle.grantId)).toBeNull();
  });

  it('is refused while the client is disabled, whichever other client is', async () => {
    const { grantId } = await newPerson({ clientId: SHOP });
    await disable('another');
    expect(await rotate(grantId, 1, SHOP)).toMatchObject({ generation: 2 });
    expect(await grants.findStateForShare(grantId, 10)).toMatchObject({ alive: true });
    await disable(SHOP);
    expect(await rotate(grantId, 2, SHOP)).toBeNull();
    expect(await grants.findStateForShare(grantId, 10)).toMatchObject({ alive: false });
    await Promise.all([enable(SHOP), enable('another')]);
  });

  it('does not let a grant outlive its session', async () => {
    const [userId, id, grantId] = [await newAccount(), nextId('session') as SessionId, nextId('grant')];
    await sessions.insert({
      id,
      userId,
      proofs: [{ method: 'password' }],
      client: CLIENT,
      lifetimeSeconds: 600,
      grant: { id: grantId, clientId: FIRST_PARTY_CLIENT, tenantId: null, idleSeconds: DAY },
    });
    const ends = () =>
      app.sql(
        'SELECT g.idle_expires_at = s.expires_at AS same FROM grants g JOIN sessions s ON s.id = g.session_id WHERE g.id = $1',
        [grantId],
      );
    expect(await ends()).toEqual([{ same: true }]);
    await refreshes.rotate({
      grantId,
      generation: 1,
      clientId: FIRST_PARTY_CLIENT,
      idleSeconds: DAY,
      ofOpenId: false,
    });
    expect(await ends()).toEqual([{ same: true }]);
  });
});

describe('Refreshes of one turn', () => {
  const renew = (grantId: string, generation = 1, jkt: string | null = null, acceptsUnbound = true) =>
    refreshes.renew(
      { grantId, generation, clientId: FIRST_PARTY_CLIENT, idleSeconds: DAY, ofOpenId: false },
      { jkt, acceptsUnbound },
    );
  const bind = (grantId: string, jkt: string) =>
    app.sql('UPDATE grants SET dpop_jkt = $2 WHERE id = $1', [grantId, jkt]);
  const generationsOf = async (...people: { grantId: string }[]) => {
    const found = [];
    for (const { grantId } of people) found.push((await grants.findAlive(grantId))?.generation);
    return found;
  };

  it('are one statement, and each has its own grant, client and kind', async () => {
    const [one, other, kept] = [await newPerson(), await newPerson({ clientId: SHOP }), await newPerson()];
    const statements = await statementsOf(() =>
      Promise.all([rotate(one.grantId), rotate(other.grantId, 1, SHOP), renew(kept.grantId)]),
    );
    expect(statements).toHaveLength(1);
    expect(await generationsOf(one, other, kept)).toEqual([2, 2, 1]);
    const [again, next, renewed] = await Promise.all([
      renew(kept.grantId),
      rotate(other.grantId, 2, SHOP),
      rotate(one.grantId, 2),
    ]);
    expect(again).toMatchObject({ grantId: kept.grantId, generation: 1 });
    expect(again?.refreshExpiresIn).toBeGreaterThan(HOUR);
    expect(next).toMatchObject({ grantId: other.grantId, clientId: SHOP, generation: 3 });
    expect(next?.refreshExpiresIn).toBeLessThanOrEqual(HOUR);
    expect(renewed).toMatchObject({ grantId: one.grantId, generation: 3 });
  });

  it('are refused one by one', async () => {
    const [old, foreign, ended] = [await newPerson(), await newPerson(), await newPerson()];
    const [bound, right] = [await newPerson(), await newPerson()];
    await end('grants', ended.grantId);
    await bind(bound.grantId, 'key');
    const refused = [
      rotate(old.grantId, 2),
      rotate(foreign.grantId, 1, SHOP),
      rotate(ended.grantId),
      rotate(bound.grantId),
    ];
    const [rotated] = await Promise.all([rotate(right.grantId), ...refused]);
    expect(rotated).toMatchObject({ grantId: right.grantId });
    for (const refresh of refused) expect(await refresh).toBeNull();
    expect(await generationsOf(old, foreign, bound, right)).toEqual([1, 1, 1, 2]);
  });

  it('accept of bound grants the right key alone, and unbound ones where the client may have them', async () => {
    const [bound, unbound] = [await newPerson(), await newPerson()];
    await bind(bound.grantId, 'key');
    const all = await Promise.all([
      renew(bound.grantId, 1, 'another'),
      renew(unbound.grantId, 1, 'key', false),
      renew(bound.grantId),
    ]);
    expect(all).toEqual([null, null, null]);
    const [right, open] = await Promise.all([
      renew(bound.grantId, 1, 'key', false),
      renew(unbound.grantId, 1, 'key'),
    ]);
    expect(right).toMatchObject({ grantId: bound.grantId, dpopJkt: 'key' });
    expect(open).toMatchObject({ grantId: unbound.grantId, dpopJkt: null });
  });

  it('leave grants of the other kind as they are', async () => {
    const [openId, right] = [await newPerson(), await newPerson()];
    await app.sql("UPDATE grants SET granted_scopes = '{openid}' WHERE id = $1", [openId.grantId]);
    const of = { generation: 1, clientId: FIRST_PARTY_CLIENT, idleSeconds: HOUR, ofOpenId: true };
    const [app1, app2, openId1, openId2] = await Promise.all([
      rotate(right.grantId),
      rotate(openId.grantId),
      refreshes.rotate({ ...of, grantId: right.grantId }),
      refreshes.rotate({ ...of, grantId: openId.grantId }),
    ]);
    expect([app1?.generation, app2, openId1, openId2?.generation]).toEqual([2, null, null, 2]);
  });

  it('of one grant rotate it once', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const rotated = await Promise.all([rotate(one.grantId), rotate(one.grantId), rotate(other.grantId)]);
    expect(rotated.map((grant) => grant?.generation ?? null).sort()).toEqual([2, 2, null]);
    expect(await generationsOf(one, other)).toEqual([2, 2]);
  });

  it('wait for the lock of their own grant alone, and see what its holder did', async () => {
    const [locked, free] = [await newPerson(), await newPerson()];
    const [taken, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = database.transaction(async () => {
      await grants.findStateForShare(locked.grantId, 10);
      taken.resolve();
      await mayEnd.promise;
      await grants.end([locked.grantId]);
    });
    await taken.promise;
    let isSettled = false;
    const waiting = rotate(locked.grantId).finally(() => (isSettled = true));
    expect(await rotate(free.grantId)).toMatchObject({ generation: 2 });
    expect(isSettled).toBe(false);
    mayEnd.resolve();
    await ended;
    expect(await waiting).toBeNull();
  });

  it('do not join the transaction of another request, nor leave their own', async () => {
    const [inside, outside] = [await newPerson(), await newPerson()];
    const [begun, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failed = database.transaction(async () => {
      begun.resolve();
      await goesOn.promise;
      await rotate(inside.grantId);
      throw new Error('undone');
    });
    await begun.promise;
    goesOn.resolve();
    const [rotated] = await Promise.all([rotate(outside.grantId), expect(failed).rejects.toThrow('undone')]);
    expect(rotated).toMatchObject({ generation: 2 });
    expect(await generationsOf(inside, outside)).toEqual([1, 2]);
  });

  it('note the time of the use, and that of the rotation where they rotate', async () => {
    const [rotated, kept] = [await newPerson(), await newPerson()];
    const ids = [rotated.grantId, kept.grantId];
    await age(app, 'grants', 60, 'id = ANY($1)', [ids]);
    await Promise.all([rotate(rotated.grantId), renew(kept.grantId)]);
    const found = await app.sql(
      `SELECT last_used_at > now() - interval '30 s' AS used, rotated_at > now() - interval '30 s' AS rotated
       FROM grants WHERE id = ANY($1) ORDER BY id`,
      [ids],
    );
    expect(found).toEqual([
      { used: true, rotated: true },
      { used: true, rotated: false },
    ]);
  });
});

describe('The state of a grant', () => {
  it('is its own, and keeps others from rotating it at the same time', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    await database.transaction(async () => {
      const state = await grants.findStateForShare(one.grantId, 10);
      expect(state).toMatchObject({ grantId: one.grantId, alive: true, withinRetryWindow: true });
      expect(await isLocked('grants', one.grantId)).toBe(true);
      expect(await isLocked('grants', other.grantId)).toBe(false);
    });
  });

  it.each([
    ['ended', (id: string) => end('grants', id)],
    ['idle', (id: string) => age(app, 'grants', HOUR, 'id = $1', [id])],
  ])('is not alive once it is %s', async (_how, change) => {
    const { grantId } = await newPerson();
    expect(await grants.findAlive(grantId)).toMatchObject({ grantId });
    await change(grantId);
    expect(await grants.findStateForShare(grantId, 10)).toMatchObject({ alive: false });
    expect(await grants.findAlive(grantId)).toBeNull();
  });

  it('allows a retry for as long as the window alone', async () => {
    const { grantId } = await newPerson();
    await age(app, 'grants', 30, 'id = $1', [grantId]);
    expect(await grants.findStateForShare(grantId, 60)).toMatchObject({ withinRetryWindow: true });
    expect(await grants.findStateForShare(grantId, 20)).toMatchObject({ withinRetryWindow: false });
  });
});

describe('A further grant', () => {
  const of = { tenantId: null, grantedScopes: null, dpopJkt: null };
  const further = async (sessionId: SessionId, clientId: string) => {
    const wanted = {
      ...of,
      id: nextId('grant'),
      sessionId: sessionId as Locked<SessionId>,
      userId: 'the owner of the session' as UserId,
      clientId,
    };
    return (await grants.insertFurther([wanted], DAY))[0];
  };
  const alive = async (sessionId: SessionId, clientId: string) =>
    (
      await app.sql('SELECT 1 FROM grants WHERE session_id = $1 AND client_id = $2 AND ended_at IS NULL', [
        sessionId,
        clientId,
      ])
    ).length;

  it("ends the client's oldest of this session alone, beyond 20 alive", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    for (let n = 0; n < 20; n += 1) await further(one.sessionId, SHOP);
    await further(other.sessionId, SHOP);
    await further(one.sessionId, 'another');
    expect(await alive(one.sessionId, SHOP)).toBe(20);
    await further(one.sessionId, SHOP);
    expect(await alive(one.sessionId, SHOP)).toBe(20);
    const [newest] = await app.sql<{ id: string }>(
      'SELECT max(id) AS id FROM grants WHERE session_id = $1 AND client_id = $2',
      [one.sessionId, SHOP],
    );
    await end('grants', String(newest?.id));
    await further(one.sessionId, SHOP);
    expect(await alive(one.sessionId, SHOP)).toBe(20);
    expect(await alive(one.sessionId, 'another')).toBe(1);
    expect(await alive(one.sessionId, FIRST_PARTY_CLIENT)).toBe(1);
    expect(await alive(other.sessionId, SHOP)).toBe(1);
  });

  it("never ends the session's first, which is that of the sign-in", async () => {
    const { sessionId, grantId } = await newPerson();
    for (let n = 0; n < 22; n += 1) await further(sessionId, FIRST_PARTY_CLIENT);
    expect(await alive(sessionId, FIRST_PARTY_CLIENT)).toBe(21);
    expect(await grants.findAlive(grantId)).not.toBeNull();
  });

  it('belongs to the session, and ends with it at the latest', async () => {
    const accountId = await newAccount();
    const sessionId = await newSession(accountId, 600);
    const grant = await further(sessionId, SHOP);
    expect(grant).toMatchObject({ sessionId, userId: accountId, clientId: SHOP, tenantId: null });
    expect(grant?.refreshExpiresIn).toBeLessThanOrEqual(600);
  });
});

describe('Selecting a tenant', () => {
  /** Runs work in no transaction of the caller. */
  const outside = AsyncLocalStorage.snapshot();
  const select = (grantId: string, userId: UserId, tenantId: TenantId, mayMove = true) =>
    grants.selectTenant({ grantId, userId, tenantId, mayMove });

  it('changes this grant alone, and only for a member', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    expect(await select(one.grantId, one.accountId, other.tenantId)).toBeNull();
    expect(await select(one.grantId, one.accountId, one.tenantId)).toMatchObject({ tenantId: one.tenantId });
    expect(await tenantOf(other.grantId)).toBeNull();
  });

  it('leaves a grant that may not move in its tenant', async () => {
    const { grantId, accountId, tenantId } = await newPerson();
    const second = await newMembership(accountId);
    await setTenant(grantId, tenantId);
    expect(await select(grantId, accountId, second, false)).toBeNull();
    expect(await tenantOf(grantId)).toBe(tenantId);
    expect(await select(grantId, accountId, tenantId, false)).toMatchObject({ tenantId });
    expect(await select(grantId, accountId, second)).toMatchObject({ tenantId: second });
  });

  it('is one statement for several of a turn, and each gets its own answer', async () => {
    const [one, other, stranger] = [await newPerson(), await newPerson(), await newPerson()];
    const second = await newMembership(one.accountId);
    const asked = [
      [one.grantId, one.accountId, one.tenantId],
      [stranger.grantId, stranger.accountId, one.tenantId],
      [other.grantId, other.accountId, other.tenantId],
    ] as const;
    const results: unknown[] = [];
    const statements = await statementsOf(async () => {
      results.push(...(await Promise.all(asked.map((of) => select(...of)))));
    });
    expect(results).toMatchObject([
      { grantId: one.grantId, tenantId: one.tenantId },
      null,
      { grantId: other.grantId, tenantId: other.tenantId },
    ]);
    expect(statements).toHaveLength(2); // the stranger's once more, by itself
    const twice = [
      select(one.grantId, one.accountId, one.tenantId),
      select(one.grantId, one.accountId, second),
    ];
    expect((await Promise.all(twice)).map((grant) => grant?.tenantId)).toEqual([one.tenantId, second]);
  });

  it('waits for nothing that concerns another selection of the turn', async () => {
    const [one, held] = [await newPerson(), await newPerson()];
    const waiting = await database.transaction(async () => {
      await database.rows('SELECT 1 FROM members WHERE user_id = $1 FOR UPDATE', [held.accountId]);
      const [free, other] = outside(() => [
        select(one.grantId, one.accountId, one.tenantId),
        select(held.grantId, held.accountId, held.tenantId),
      ]) as [Promise<unknown>, Promise<unknown>];
      expect(await free).toMatchObject({ tenantId: one.tenantId });
      return { other };
    });
    expect(await waiting.other).toMatchObject({ tenantId: held.tenantId });
  });

  it('does not reach a grant that has ended or was idle too long', async () => {
    const [ended, idle] = [await newPerson(), await newPerson()];
    await end('grants', ended.grantId);
    await age(app, 'grants', HOUR, 'id = $1', [idle.grantId]);
    expect(await select(ended.grantId, ended.accountId, ended.tenantId)).toBeNull();
    expect(await select(idle.grantId, idle.accountId, idle.tenantId)).toBeNull();
  });
});

describe('Taking tenants from a person', () => {
  it("clears the tenants in question from this person's grants that are alive", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const kept = await newGrant(one.accountId, one.sessionId);
    const ended = await newGrant(one.accountId, one.sessionId);
    const remaining = await newMembership(one.accountId);
    for (const id of [one.grantId, other.grantId, ended]) await setTenant(id, one.tenantId);
    await setTenant(kept, remaining);
    await end('grants', ended);
    await database.transaction(() => grants.clearTenantsForUpdate(one.accountId, [one.tenantId]));
    expect(await tenantOf(one.grantId)).toBeNull();
    expect(await tenantOf(kept)).toBe(remaining);
    expect(await tenantOf(ended)).toBe(one.tenantId);
    expect(await tenantOf(other.grantId)).toBe(one.tenantId);
  });

  it("holds this person's sessions and grants that are alive, and no others", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const endedSession = await newSession(one.accountId);
    const endedGrant = await newGrant(one.accountId, one.sessionId);
    await end('sessions', endedSession);
    await end('grants', endedGrant);
    await database.transaction(async () => {
      await grants.clearTenantsForUpdate(one.accountId, [one.tenantId]);
      expect(await isLocked('sessions', one.sessionId)).toBe(true);
      expect(await isLocked('grants', one.grantId, 'FOR KEY SHARE')).toBe(true);
      expect(await isLocked('sessions', endedSession)).toBe(false);
      expect(await isLocked('grants', endedGrant)).toBe(false);
      expect(await isLocked('sessions', other.sessionId)).toBe(false);
      expect(await isLocked('grants', other.grantId)).toBe(false);
    });
  });
});

describe('Taking a tenant from all grants', () => {
  it('clears it from any, ended ones too, as many as asked for', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const second = await newGrant(one.accountId, one.sessionId);
    for (const id of [one.grantId, second]) await setTenant(id, one.tenantId);
    await setTenant(other.grantId, other.tenantId);
    await end('grants', second);
    const clear = (limit: number) => grants.clearTenantOfAnyForUpdate(one.tenantId, limit);
    expect([await clear(1), await clear(5), await clear(5)]).toEqual([1, 1, 0]);
    expect([await tenantOf(one.grantId), await tenantOf(second)]).toEqual([null, null]);
    expect(await tenantOf(other.grantId)).toBe(other.tenantId);
  });

  it('locks those alone', async () => {
    const { grantId, tenantId, accountId, sessionId } = await newPerson();
    const second = await newGrant(accountId, sessionId);
    for (const id of [grantId, second]) await setTenant(id, tenantId);
    await database.transaction(async () => {
      await grants.clearTenantOfAnyForUpdate(tenantId, 1);
      expect(await isLocked('grants', grantId, 'FOR KEY SHARE')).toBe(true);
      expect(await isLocked('grants', second)).toBe(false);
    });
  });
});

describe('The last activity of members', () => {
  it('is the latest refresh of their grants in the tenant that have not ended', async () => {
    const members = app.app.get(MemberRepository, { strict: false });
    const [one, other] = [await newPerson(), await newPerson()];
    const [older, ended, away] = [
      await newGrant(one.accountId, one.sessionId),
      await newGrant(one.accountId, one.sessionId),
      await newGrant(one.accountId, one.sessionId),
    ];
    const usedAt = (id: string, time: string, tenantId: TenantId) =>
      app.sql('UPDATE grants SET last_used_at = $2, tenant_id = $3 WHERE id = $1', [id, time, tenantId]);
    const times = [3, 2, 4, 5, 6].map((day) => `2026-11-0${day}T08:00:00.000Z`);
    const [latest = '', before = '', ofEnded = '', ofOther = '', ofAnother = ''] = times;
    await usedAt(one.grantId, latest, one.tenantId);
    await usedAt(older, before, one.tenantId);
    await usedAt(ended, ofEnded, one.tenantId);
    await end('grants', ended);
    await usedAt(away, ofOther, other.tenantId);
    await usedAt(other.grantId, ofAnother, one.tenantId);
    const idle = await newAccount();
    expect(await members.findLastActive(one.tenantId, [one.accountId, idle])).toEqual(
      new Map([[one.accountId, new Date(latest)]]),
    );
    expect(await members.findLastActive(one.tenantId, [])).toEqual(new Map());
  });
});

it('The disabled of some clients are those alone', async () => {
  const clients = app.app.get(DisabledClientRepository, { strict: false });
  await Promise.all([clients.insert(SHOP), clients.insert('another'), clients.insert(SHOP)]);
  expect(await clients.findDisabled([SHOP, 'enabled'])).toEqual(new Set([SHOP]));
  await clients.delete(SHOP);
  expect(await clients.findDisabled([SHOP, 'another'])).toEqual(new Set(['another']));
  await clients.delete('another');
});

describe('A session', () => {
  it.each([
    ['ended', (id: string) => end('sessions', id)],
    ['expired', (id: string) => age(app, 'sessions', DAY, 'id = $1', [id])],
  ])('is not alive once it has %s', async (_how, change) => {
    const { accountId, sessionId } = await newPerson();
    const goesOn = await newSession(accountId);
    await change(sessionId);
    expect(await sessions.findAlive([sessionId, goesOn])).toEqual([goesOn]);
    expect(await sessions.findOwn(accountId, [sessionId, goesOn], false)).toEqual([
      { id: sessionId, alive: false },
      { id: goesOn, alive: true },
    ]);
    expect(await sessions.lockAliveForShare(sessionId)).toBeNull();
    expect(await sessions.confirm(sessionId, accountId, { method: 'password' })).toBe(false);
    const listed = await sessions.listAlive(accountId, { limit: 10, after: null });
    expect(listed.map(({ id }) => id)).not.toContain(sessionId);
  });

  it("is found and confirmed among the account's own alone", async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    expect(await sessions.findAlive([one.sessionId])).toEqual([one.sessionId]);
    expect(await sessions.findOwn(one.accountId, [one.sessionId, other.sessionId], false)).toEqual([
      { id: one.sessionId, alive: true },
    ]);
    await newSession(one.accountId);
    expect(await sessions.findOwn(one.accountId, [one.sessionId], false)).toHaveLength(1);
    expect(await sessions.confirm(other.sessionId, one.accountId, { method: 'password' })).toBe(false);
    expect(await sessions.confirm(one.sessionId, one.accountId, { method: 'password' })).toBe(true);
    const confirmed = await app.sql(
      'SELECT id FROM sessions WHERE confirmed_at IS NOT NULL AND account_id = ANY($1)',
      [[one.accountId, other.accountId]],
    );
    expect(confirmed).toEqual([{ id: one.sessionId }]);
  });

  it('is held while others count on it', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    await database.transaction(async () => {
      expect(await sessions.lockAliveForShare(one.sessionId)).toBe(one.sessionId);
      expect(await isLocked('sessions', one.sessionId)).toBe(true);
      expect(await isLocked('sessions', one.sessionId, 'FOR SHARE')).toBe(false);
      expect(await isLocked('sessions', other.sessionId)).toBe(false);
    });
    await database.transaction(async () => {
      await sessions.findOwn(one.accountId, [one.sessionId], false);
      expect(await isLocked('sessions', one.sessionId)).toBe(false);
      await sessions.findOwn(one.accountId, [one.sessionId], true);
      expect(await isLocked('sessions', one.sessionId, 'FOR KEY SHARE')).toBe(true);
    });
  });

  it('ends alone, with all, or all but it; and its grants with it', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    const [second, third] = [await newSession(one.accountId), await newSession(one.accountId)];
    expect(await sessions.end(other.sessionId, one.accountId)).toEqual([]);
    expect(await sessions.end(third, one.accountId)).toEqual([third]);
    expect(await sessions.end(third, one.accountId)).toEqual([]);
    expect(await grants.findAlive(one.grantId)).not.toBeNull();
    expect(await sessions.endOthers(one.accountId, second)).toEqual([one.sessionId]);
    expect(await grants.findAlive(one.grantId)).toBeNull();
    expect(await sessions.endAll(one.accountId)).toEqual([second]);
    expect(await grants.findAlive(other.grantId)).not.toBeNull();
    expect(await sessions.findAlive([one.sessionId, second, third, other.sessionId])).toEqual([
      other.sessionId,
    ]);
  });

  it('is locked before it ends', async () => {
    const { accountId, sessionId } = await newPerson();
    await database.transaction(async () => {
      await sessions.endAll(accountId);
      expect(await isLocked('sessions', sessionId, 'FOR KEY SHARE')).toBe(true);
    });
  });

  it('that has ended asks nothing of its grants', async () => {
    const { accountId, sessionId } = await newPerson();
    await sessions.end(sessionId, accountId);
    const statements = jest.spyOn(database, 'rows');
    await sessions.end(sessionId, accountId);
    // The service's own work has statements as well.
    const texts = statements.mock.calls.map(([sql]) => sql);
    expect(texts).toContainEqual(expect.stringContaining('UPDATE sessions'));
    expect(texts).not.toContainEqual(expect.stringContaining('UPDATE grants'));
    statements.mockRestore();
  });

  it('goes with its account', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    await newSession(one.accountId);
    await sessions.deleteAll(one.accountId);
    const left = await app.sql('SELECT id FROM sessions WHERE account_id = ANY($1)', [
      [one.accountId, other.accountId],
    ]);
    expect(left).toEqual([{ id: other.sessionId }]);
  });

  it("is listed with its own grants, newest first, after the page's last", async () => {
    const one = await newPerson();
    await newPerson();
    const second = await newSession(one.accountId);
    await newGrant(one.accountId, second, { clientId: SHOP });
    const list = async (limit: number, after: string | null = null) =>
      (await sessions.listAlive(one.accountId, { limit, after })).map(({ id, properties }) => [
        id,
        ...properties.map(({ clientId }) => clientId),
      ]);
    expect(await list(10)).toEqual([
      [second, SHOP],
      [one.sessionId, FIRST_PARTY_CLIENT],
    ]);
    expect(await list(10, second)).toEqual([[one.sessionId, FIRST_PARTY_CLIENT]]);
    expect(await list(0)).toEqual([[second, SHOP]]);
  });
});

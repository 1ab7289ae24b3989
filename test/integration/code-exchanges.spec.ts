import { randomBytes } from 'node:crypto';
import { newId, type SessionId, type TenantId, type UserId } from '../../src/kernel/index.js';
import { codeChallengeOf, hashOneTimeToken } from '../../src/platform/crypto/index.js';
import { Database } from '../../src/platform/database/database.js';
import { Primary } from '../../src/platform/database/index.js';
import { AppError, toAppError } from '../../src/platform/errors/index.js';
import { type Client, LiveClients } from '../../src/client/index.js';
import { runAsImpersonator } from '../../src/iam/index.js';
import {
  CodeExchange,
  type Exchanged,
  type PresentedCode,
} from '../../src/session/codes/code-exchange.service.js';
import { GrantRefreshRepository } from '../../src/session/grants/grant-refresh.repository.js';
import { GrantRepository } from '../../src/session/grants/grant.repository.js';
import { SessionRepository } from '../../src/session/sessions/session.repository.js';
import { statementsOf } from '../support/plans.js';
import { RelyingParty } from '../support/relying-party.js';
import { eventually, TestApp, withApp } from '../support/test-app.js';

const ROOT_SECRET = Buffer.alloc(32, 7).toString('base64');
const REDIRECT = 'https://client.example/callback';
const LIMIT = 20;
const ROUNDS = 5;
/** Of a transaction: take, give, record. */
const STATEMENTS = 3;

interface Code {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string | null;
  readonly jkt: string | null;
}

let database: Database;
let grants: GrantRepository;
let exchanges: CodeExchange;
let client: Client;
let other: Client;
const app = withApp({ ROOT_SECRET });
beforeAll(async () => {
  database = app.app.get(Database, { strict: false });
  grants = app.app.get(GrantRepository, { strict: false });
  exchanges = app.app.get(CodeExchange, { strict: false });
  [client, other] = [await newClient(), await newClient()];
});

async function newClient(): Promise<Client> {
  const { clientId } = await RelyingParty.register(app);
  return (await app.app.get(LiveClients, { strict: false }).findEnabled(clientId)) as Client;
}

/** A person with a session, and the grant of the sign-in. */
async function newPerson() {
  const [userId, sessionId, first] = [newId() as UserId, newId() as SessionId, newId()];
  await app.sql('INSERT INTO accounts (id) VALUES ($1)', [userId]);
  await app.sql(
    "INSERT INTO sessions (id, account_id, amr, expires_at) VALUES ($1, $2, '{pwd}', now() + interval '1 day')",
    [sessionId, userId],
  );
  await app.sql(
    `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at)
     VALUES ($1, $2, $3, 'gatehouse', now() + interval '1 day')`,
    [first, sessionId, userId],
  );
  return { userId, sessionId, first };
}

type Known = Awaited<ReturnType<typeof newPerson>>;

async function newCode(
  { userId, sessionId }: Known,
  {
    of = client,
    tenantId = null as TenantId | null,
    nonce = null as string | null,
    jkt = null as string | null,
  } = {},
): Promise<Code> {
  const [code, verifier] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [
    string,
    string,
  ];
  await app.sql(
    `INSERT INTO one_time_codes (purpose, code_hash, client_id, session_id, account_id, tenant_id, redirect_uri, code_challenge, scopes, nonce, dpop_jkt, grant_id, expires_at)
     VALUES ('openid', $1, $2, $3, $4, $5, $6, $7, '{openid,email}', $8, $9, $10, now() + interval '1 minute')`,
    [
      hashOneTimeToken(code),
      of.clientId,
      sessionId,
      userId,
      tenantId,
      REDIRECT,
      codeChallengeOf(verifier),
      nonce,
      jkt,
      newId(),
    ],
  );
  return { code, verifier, redirectUri: REDIRECT, jkt };
}

const presentedBy = (by: Client, { verifier, ...code }: Code) => ({
  ...code,
  purpose: 'openid' as const,
  codeVerifier: verifier,
  clientId: by.clientId,
  event: { action: 'session.handed-over', subject: `iam/satellites/${by.id}` },
});
const exchange = (code: Code, changes: Partial<Code> = {}, by = client) =>
  exchanges.exchange(presentedBy(by, { ...code, ...changes }));

/** One that is right, so that the others of the turn share a statement with it. */
const anyExchange = async () => {
  const code = await newCode(await newPerson());
  return () => exchange(code);
};

const rowOf = async ({ code }: Code) =>
  (
    await app.sql(
      `SELECT consumed_at IS NOT NULL AS consumed, grant_id AS "grantId", nonce,
         expires_at = (SELECT expires_at FROM sessions WHERE id = session_id) AS kept
       FROM one_time_codes WHERE code_hash = $1`,
      [hashOneTimeToken(code)],
    )
  )[0];
const aliveOf = async ({ sessionId }: Known, of = client) =>
  (
    await app.sql<{ id: string }>(
      'SELECT id FROM grants WHERE session_id = $1 AND client_id = $2 AND ended_at IS NULL ORDER BY id',
      [sessionId, of.clientId],
    )
  ).map(({ id }) => id);
const grantOf = (exchanged: Exchanged) => {
  if (exchanged === 'refused' || !('grant' in exchanged)) throw new Error('It gave nothing.');
  return exchanged.grant;
};
const GIVEN = { grant: { grantId: expect.any(String) } };
const OPEN = { consumed: false, kept: false };

/** Fills the limit of a session and client. @returns the ids, the oldest first */
async function fill({ userId, sessionId }: Known, of = client): Promise<string[]> {
  const ids = Array.from({ length: LIMIT }, newId).sort();
  await app.sql(
    `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at, granted_scopes)
     SELECT id, $2, $3, $4, now() + interval '1 hour', '{openid}' FROM unnest($1::text[]) id`,
    [ids, sessionId, userId, of.clientId],
  );
  return ids;
}

/** Runs `work` while an open transaction has done `first`, which then does `last`. */
async function during<T>(
  first: () => Promise<unknown>,
  work: () => Promise<T>,
  last: () => Promise<unknown>,
) {
  const [taken, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = database.transaction(async () => {
    await first();
    taken.resolve();
    await goesOn.promise;
    await last();
  });
  await taken.promise;
  const done = work().finally(goesOn.resolve);
  await holder;
  return done;
}

/** Exchanges a code that waits for a transaction, and another one next to it that does not. */
async function besideFree(code: Code, first: () => Promise<unknown>, last: () => Promise<unknown>) {
  const free = await anyExchange();
  let isSettled = false;
  let waiting: ReturnType<typeof exchange> | undefined;
  await during(
    first,
    async () => {
      waiting = exchange(code).finally(() => (isSettled = true));
      expect(await free()).toMatchObject(GIVEN);
      expect(isSettled).toBe(false);
    },
    last,
  );
  return waiting;
}

describe('Exchanges of one turn', () => {
  it('share a transaction, and each has the grant, the client and the nonce of its code', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const [plain, bound, foreign] = [
      await newCode(ada, { nonce: 'n-1' }),
      await newCode(bob, { jkt: 'key', nonce: 'a"\\b' }),
      await newCode(ada, { of: other }),
    ];
    let given: Exchanged[] = [];
    const statements = await statementsOf(async () => {
      given = await Promise.all([exchange(plain), exchange(bound), exchange(foreign, {}, other)]);
    });
    expect(statements).toHaveLength(STATEMENTS);
    const of = (person: Known, { clientId }: Client) => ({
      sessionId: person.sessionId,
      userId: person.userId,
      clientId,
      tenantId: null,
      generation: 1,
      grantedScopes: ['openid', 'email'],
      amr: ['pwd'],
    });
    expect(given).toEqual([
      { nonce: 'n-1', grant: expect.objectContaining({ ...of(ada, client), dpopJkt: null }) },
      { nonce: 'a"\\b', grant: expect.objectContaining({ ...of(bob, client), dpopJkt: 'key' }) },
      { nonce: null, grant: expect.objectContaining({ ...of(ada, other), dpopJkt: null }) },
    ]);
    const ids = given.map((one) => grantOf(one).grantId);
    for (const [n, code] of [plain, bound, foreign].entries())
      expect(await rowOf(code)).toEqual({ consumed: true, grantId: ids[n], nonce: null, kept: true });
    expect([await aliveOf(ada), await aliveOf(bob), await aliveOf(ada, other)]).toEqual(
      ids.map((id) => [id]),
    );
    const recorded = await app.sql(
      'SELECT account_id AS "accountId", action, subject FROM audit_events WHERE account_id = ANY($1) ORDER BY id',
      [[ada.userId, bob.userId]],
    );
    const event = ({ userId }: Known, { id }: Client) => ({
      accountId: userId,
      action: 'session.handed-over',
      subject: `iam/satellites/${id}`,
    });
    const events = [event(ada, client), event(bob, client), event(ada, other)];
    expect(recorded).toHaveLength(events.length);
    expect(recorded).toEqual(expect.arrayContaining(events));
  });

  it('are refused one by one, and leave the code of another client alone', async () => {
    const right = await anyExchange();
    const [guessed, none, moved, unnamed, foreign] = [
      await newCode(await newPerson()),
      await newCode(await newPerson()),
      await newCode(await newPerson()),
      await newCode(await newPerson()),
      await newCode(await newPerson(), { of: other }),
    ];
    const unknown = { ...guessed, code: 'x' };
    const [given, ...refused] = await Promise.all([
      right(),
      exchange(guessed, { verifier: 'x'.repeat(43) }),
      exchange(none, { verifier: '' }),
      exchange(moved, { redirectUri: `${REDIRECT}/` }),
      exchange(unnamed, { redirectUri: '' }),
      exchange(foreign),
      exchange(unknown),
    ]);
    expect(given).toMatchObject(GIVEN);
    expect(refused).toEqual([
      { fault: 'verifier-wrong' },
      { fault: 'verifier-malformed' },
      { fault: 'redirect-uri' },
      { fault: 'redirect-uri' },
      'refused',
      'refused',
    ]);
    for (const burnt of [guessed, none, moved, unnamed])
      expect(await rowOf(burnt)).toMatchObject({ consumed: true, kept: true });
    expect(await rowOf(foreign)).toMatchObject(OPEN);
    expect(await exchange(foreign, {}, other)).toMatchObject(GIVEN);
  });

  it('are refused after the minute of the code, and the end of the session', async () => {
    const right = await anyExchange();
    const [late, ended, expired] = [await newPerson(), await newPerson(), await newPerson()];
    const codes = [await newCode(late), await newCode(ended), await newCode(expired)];
    await app.sql("UPDATE one_time_codes SET expires_at = now() - interval '1 s' WHERE account_id = $1", [
      late.userId,
    ]);
    await app.sql('UPDATE sessions SET ended_at = now() WHERE id = $1', [ended.sessionId]);
    await app.sql('UPDATE sessions SET expires_at = now() WHERE id = $1', [expired.sessionId]);
    const [given, ...refused] = await Promise.all([right(), ...codes.map((code) => exchange(code))]);
    expect(given).toMatchObject(GIVEN);
    expect(refused).toEqual(Array(3).fill('refused'));
    for (const person of [late, ended, expired]) expect(await aliveOf(person)).toEqual([]);
  });

  it('take a bound code with its own key alone, and bind the grant of another one', async () => {
    const right = await anyExchange();
    const [lost, stolen, free] = [
      await newCode(await newPerson(), { jkt: 'key' }),
      await newCode(await newPerson(), { jkt: 'key' }),
      await newCode(await newPerson()),
    ];
    const [, ...answers] = await Promise.all([
      right(),
      exchange(lost, { jkt: null }),
      exchange(stolen, { jkt: 'another' }),
      exchange(free, { jkt: 'key' }),
    ]);
    expect(answers).toEqual([
      { fault: 'key' },
      { fault: 'key' },
      { nonce: null, grant: expect.objectContaining({ dpopJkt: 'key' }) },
    ]);
  });

  it('of one code give one grant, and tell the others that it was used', async () => {
    const ada = await newPerson();
    const code = await newCode(ada);
    const free = await anyExchange();
    const [given, proven, guessed] = await Promise.all([
      exchange(code),
      exchange(code),
      exchange(code, { verifier: 'x'.repeat(43) }),
      free(),
    ]);
    expect(given).toMatchObject(GIVEN);
    const grantId = grantOf(given).grantId;
    expect(proven).toMatchObject({ reused: { grantId, isProven: true, isRecent: true } });
    expect(guessed).toMatchObject({ reused: { grantId, isProven: false, isRecent: true } });
    expect(await aliveOf(ada)).toHaveLength(1);
  });

  it('keep the limit of each session and client, also of several codes of one', async () => {
    const [ada, bob, cyd] = [await newPerson(), await newPerson(), await newPerson()];
    const [ofAda, ofBob, ofOther] = [await fill(ada), await fill(bob), await fill(ada, other)];
    const codes = [await newCode(ada), await newCode(bob), await newCode(ada), await newCode(cyd)];
    let given: Exchanged[] = [];
    const statements = await statementsOf(async () => {
      given = await Promise.all(codes.map((code) => exchange(code)));
    });
    expect(statements).toHaveLength(STATEMENTS);
    const ids = given.map((one) => grantOf(one).grantId);
    expect(await aliveOf(ada)).toEqual([...ofAda.slice(2), ids[0], ids[2]].sort());
    expect(await aliveOf(bob)).toEqual([...ofBob.slice(1), ids[1]]);
    expect(await aliveOf(cyd)).toEqual([ids[3]]);
    expect(await aliveOf(ada, other)).toEqual(ofOther);
    expect(await grants.findAlive(ada.first)).toMatchObject({ clientId: 'gatehouse' });
  });

  it('wait for the session of their own code alone, and see that it has ended', async () => {
    const ada = await newPerson();
    const code = await newCode(ada);
    const sessions = app.app.get(SessionRepository, { strict: false });
    const end = () => sessions.end(ada.sessionId, ada.userId);
    expect(await besideFree(code, end, async () => undefined)).toBe('refused');
    expect(await aliveOf(ada)).toEqual([]);
  });

  it('wait for the code that another transaction consumes, and see what became of it', async () => {
    const code = await newCode(await newPerson());
    const consume = () =>
      database.rows('UPDATE one_time_codes SET consumed_at = now() WHERE code_hash = $1', [
        hashOneTimeToken(code.code),
      ]);
    const undone = besideFree(code, consume, () => Promise.reject(new Error('undone')));
    await expect(undone).rejects.toThrow('undone');
    await eventually('it was exchanged', async () => (await rowOf(code))?.['consumed'] === true);
    const used = await newCode(await newPerson());
    const use = () =>
      database.rows('UPDATE one_time_codes SET consumed_at = now() WHERE code_hash = $1', [
        hashOneTimeToken(used.code),
      ]);
    expect(await besideFree(used, use, async () => undefined)).toMatchObject({
      reused: { isProven: true },
    });
  });

  it('leave a grant beyond the limit that another transaction holds to the next one', async () => {
    const ada = await newPerson();
    const [oldest = '', ...later] = await fill(ada);
    const codes = [await newCode(ada), await newCode(ada)];
    const hold = () => grants.findStateForShare(oldest, 30);
    const given = await during(
      hold,
      () => exchange(codes[0] as Code),
      async () => undefined,
    );
    expect(await aliveOf(ada)).toEqual([oldest, ...later, grantOf(given).grantId]);
    const next = grantOf(await exchange(codes[1] as Code));
    expect(await aliveOf(ada)).toEqual([...later.slice(1), grantOf(given).grantId, next.grantId]);
  });

  it('name the operator of their own request alone', async () => {
    const [ada, bob] = [await newPerson(), await newPerson()];
    const operator = newId() as UserId;
    const [ofAda, ofBob] = [await newCode(ada), await newCode(bob)];
    await Promise.all([runAsImpersonator(operator, () => exchange(ofAda)), exchange(ofBob)]);
    const named = async ({ userId }: Known) =>
      (await app.sql('SELECT impersonator_id AS id FROM audit_events WHERE account_id = $1', [userId]))[0];
    expect([await named(ada), await named(bob)]).toEqual([{ id: operator }, { id: null }]);
  });

  it('are for the client, the purpose and the address of their code', async () => {
    const ada = await newPerson();
    const code = await newCode(ada);
    const presented = presentedBy(client, code);
    for (const changes of [
      { purpose: 'satellite' },
      { clientId: null },
      { purpose: 'hosted', clientId: null },
    ])
      expect(await exchanges.exchange({ ...presented, ...changes } as PresentedCode)).toBe('refused');
    expect(await rowOf(code)).toMatchObject(OPEN);
    expect(await exchange(code)).toMatchObject(GIVEN);
  });

  it('does not refuse a code that a former primary may not know', async () => {
    const primary = app.app.get(Primary, { strict: false });
    const unknown: PresentedCode = {
      purpose: 'satellite',
      code: randomBytes(32).toString('base64url'),
      codeVerifier: randomBytes(32).toString('base64url'),
      clientId: client.clientId,
      redirectUri: null,
      jkt: null,
      event: { action: 'test' },
    };
    const refusal = new AppError('unavailable', { retryAfterSeconds: 1 });
    jest.spyOn(primary, 'confirmRead').mockRejectedValueOnce(refusal);
    await expect(exchanges.exchange(unknown)).rejects.toBe(refusal);
    expect(await exchanges.exchange(unknown)).toBe('refused');
  });

  it('keep the organization of members alone', async () => {
    const [member, stranger] = [await newPerson(), await newPerson()];
    const tenantId = newId() as TenantId;
    await app.sql('INSERT INTO tenants (id, name) VALUES ($1, $1)', [tenantId]);
    await app.sql('INSERT INTO members (tenant_id, user_id) VALUES ($1, $2)', [tenantId, member.userId]);
    const free = await anyExchange();
    const codes = [await newCode(member, { tenantId }), await newCode(stranger, { tenantId })];
    const [, ...given] = await Promise.all([free(), ...codes.map((code) => exchange(code))]);
    expect(given).toMatchObject([{ grant: { tenantId } }, { grant: { tenantId: null } }]);
  });

  it('are all undone by a fault in the middle: unavailable, with codes that stay good', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, newPerson));
    const filled = await Promise.all(people.map((person) => fill(person)));
    const codes = await Promise.all(people.map((person) => newCode(person, { nonce: 'n-1' })));
    const settled = await during(
      () => database.rows('LOCK TABLE audit_events IN SHARE MODE'),
      async () => {
        const sent = Promise.allSettled(codes.map((code) => exchange(code)));
        await eventually('the statement waits', async () => {
          const ended = await app.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return ended.length === 1;
        });
        return sent;
      },
      async () => undefined,
    );
    for (const one of settled)
      expect(one.status === 'rejected' && toAppError(one.reason).code).toBe('unavailable');
    for (const [n, person] of people.entries()) expect(await aliveOf(person)).toEqual(filled[n]);
    for (const code of codes) expect(await rowOf(code)).toMatchObject({ ...OPEN, nonce: 'n-1' });
    for (const given of await Promise.all(codes.map((code) => exchange(code))))
      expect(given).toMatchObject(GIVEN);
  });
});

describe('Two replicas', () => {
  let replica: TestApp;
  beforeAll(async () => {
    replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
  });
  afterAll(() => replica.stop());

  const bySide = (side: TestApp) => side.app.get(CodeExchange, { strict: false });

  it('exchange a code once, of four presented at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = await Promise.all(Array.from({ length: 6 }, newPerson));
      // Two of each session and client, at its limit.
      await Promise.all(people.map((person) => fill(person)));
      const codes = await Promise.all([...people, ...people].map((person) => newCode(person)));
      const answers = await Promise.all(
        codes.map((code) =>
          Promise.all(
            [app, replica, app, replica].map((side) => bySide(side).exchange(presentedBy(client, code))),
          ),
        ),
      );
      for (const answer of answers) {
        const given = answer.filter((one) => one !== 'refused' && 'grant' in one);
        const reused = answer.filter((one) => one !== 'refused' && 'reused' in one);
        expect([given.length, reused.length]).toEqual([1, 3]);
      }
      const rows = await Promise.all(codes.map(rowOf));
      const given = new Set(rows.map((row) => row?.['grantId']));
      expect(given.size).toBe(codes.length);
      const alive = (await Promise.all(people.map((person) => aliveOf(person)))).flat();
      expect([...given].filter((id) => !alive.includes(String(id)))).toEqual([]);
    }
  });

  it('are in no deadlock with refreshes, ends of sessions and memberships', async () => {
    const tenantId = newId() as TenantId;
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = await Promise.all(Array.from({ length: 8 }, newPerson));
      const old = await Promise.all(people.map((person) => fill(person)));
      const codes = await Promise.all(people.flatMap((person) => [newCode(person), newCode(person)]));
      const work: Promise<unknown>[] = codes.flatMap((code) =>
        [app, replica].map((side) => bySide(side).exchange(presentedBy(client, code))),
      );
      for (const [n, person] of people.entries()) {
        const side = n % 2 === 0 ? app : replica;
        const [repository, refreshes, sessions, transactions] = [
          side.app.get(GrantRepository, { strict: false }),
          side.app.get(GrantRefreshRepository, { strict: false }),
          side.app.get(SessionRepository, { strict: false }),
          side.app.get(Database, { strict: false }),
        ];
        for (const grantId of old[n]?.slice(0, 3) ?? [])
          work.push(
            refreshes.rotate({
              grantId,
              generation: 1,
              clientId: client.clientId,
              idleSeconds: 60,
              ofOpenId: true,
            }),
            repository.end([grantId]),
          );
        work.push(
          transactions.transaction(() => repository.clearTenantsForUpdate(person.userId, [tenantId])),
        );
        if (n % 4 === 0)
          work.push(transactions.transaction(() => sessions.end(person.sessionId, person.userId)));
      }
      await Promise.all(work);
      for (const [n, person] of people.entries()) {
        const alive = await aliveOf(person);
        // Two at once, on two replicas, do not see each other's.
        expect(alive.length).toBeLessThanOrEqual(n % 4 === 0 ? 0 : LIMIT + 1);
      }
    }
  });
});

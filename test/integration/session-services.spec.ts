import type { EventEmitter } from 'node:events';
import { decodeJwt } from 'jose';
import { SessionLiveness } from '../../src/session/sessions/session-liveness.js';
import { SessionLock } from '../../src/session/sessions/session-lock.js';
import { LogoutService } from '../../src/session/sessions/logout.service.js';
import { SessionService } from '../../src/session/sessions/session.service.js';
import { GrantRepository } from '../../src/session/grants/grant.repository.js';
import { TenantSelectionService } from '../../src/session/grants/tenant-selection.service.js';
import { TokenIssuer } from '../../src/session/tokens/token-issuer.js';
import { Database } from '../../src/platform/database/database.js';
import type { Locked } from '../../src/kernel/locks.js';
import type { SessionId, TenantId, UserId } from '../../src/kernel/principal.js';
import { ChangeFeed } from '../../src/platform/live/index.js';
import { Organization, Person } from '../support/organization.js';
import { eventually, withApp } from '../support/test-app.js';

const CLIENT = { ipAddress: '203.0.113.7', userAgent: 'agent', locale: null };

let organization: Organization;
let person: Person;
const app = withApp({ SESSION_TTL: '7200', REFRESH_IDLE_TTL: '3600' });
beforeAll(async () => {
  organization = await Organization.found(app);
});
beforeEach(async () => {
  person = await Person.signUp(app);
});
afterEach(() => jest.restoreAllMocks());

function get<T>(type: new (...args: never[]) => T): T {
  return app.app.get<T>(type, { strict: false });
}
const start = (...methods: string[]) =>
  get(Database).transaction(() =>
    get(SessionService).startSession(
      person.id as Locked<UserId>,
      methods.map((method) => ({ method })),
      CLIENT,
    ),
  );
const select = () => app.post('select-tenant', { tenantId: organization.id }, { token: person.token });
/** Actions of the audit trail about the person's sessions, the last ones first. */
const trailOf = async (limit: number): Promise<string[]> => {
  const events = await app.sql<{ action: string }>(
    "SELECT action FROM audit_events WHERE account_id = $1 AND action LIKE 'session.%' ORDER BY id DESC LIMIT $2",
    [person.id, limit],
  );
  return events.map(({ action }) => action);
};

describe('A session', () => {
  it.each([
    [['password'], ['pwd'], false, false, false],
    [['password', 'totp'], ['pwd', 'otp'], true, false, false],
    [['oidc', 'recovery_code'], ['oidc', 'otp'], true, false, false],
    [['passkey'], ['pop', 'user'], true, true, false],
    [['password', 'trusted_device'], ['pwd'], false, false, true],
  ])(
    'that began by %j is as strong as its proofs',
    async (methods, amr, isStrong, isResistant, trustedDevice) => {
      const { authTime, ...grant } = await start(...methods);
      expect(grant).toMatchObject({
        amr,
        aal2Time: isStrong ? authTime : null,
        phrTime: isResistant ? authTime : null,
        trustedDevice,
        generation: 1,
        refreshExpiresIn: 3_600,
      });
      expect(await get(GrantRepository).findAlive(grant.grantId)).toMatchObject({
        amr,
        trustedDevice,
        authTime,
      });
    },
  );

  it('is locked only while it and its account go on', async () => {
    const { sessionId } = await start('password');
    const lock = (id: SessionId, userId: unknown) =>
      get(Database).transaction(() =>
        get(SessionLock).lockForShare({ userId: userId as UserId, sessionId: id }),
      );
    expect(await lock(sessionId, person.id)).toBe(sessionId);
    expect(await lock('another' as SessionId, person.id)).toBeNull();
    await expect(lock(sessionId, 'an unknown account')).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('that ends on this replica is refused at once', async () => {
    const { sessionId, grantId } = await start('password');
    const liveness = get(SessionLiveness);
    await eventually('the feed is healthy, so that the session is cached', () => get(ChangeFeed).healthy);
    expect(await liveness.isAlive({ sessionId, grantId })).toBe(true);
    // What the feed delivers could come first: it must not be needed.
    const { client } = get(ChangeFeed) as unknown as { readonly client: EventEmitter };
    const receive = client.listeners('notification') as ((...words: unknown[]) => void)[];
    client.removeAllListeners('notification');
    try {
      await get(LogoutService).endSession(person.id as UserId, sessionId);
      expect(await liveness.isAlive({ sessionId, grantId })).toBe(false);
    } finally {
      for (const one of receive) client.on('notification', one);
    }
  });

  it('that ends after a reuse is recorded with its cause, once', async () => {
    const { sessionId } = await start('password');
    const ended = { sessionId, userId: person.id as UserId };
    for (let n = 0; n < 2; n += 1) await get(LogoutService).endSessionAfterReuse(ended, 'satellite-code');
    expect(await trailOf(3)).toEqual(['session.ended', 'session.satellite-code-reused', 'session.started']);
  });

  it('ends with its account, which keeps none', async () => {
    await get(Database).transaction(() =>
      get(LogoutService).deleteSessions({
        userId: person.id as Locked<UserId>,
        emailKey: null,
        tenantIds: [],
      }),
    );
    expect(await app.sql('SELECT 1 FROM sessions WHERE account_id = $1', [person.id])).toEqual([]);
    expect((await app.get('/api/v1/iam/me', person.token)).status).toBe(401);
  });
});

describe('The selection of a tenant', () => {
  it('is tried again for a member, whose membership may be newer than the first try', async () => {
    await organization.admit(person, 'member');
    const first = jest.spyOn(get(GrantRepository), 'selectTenant').mockResolvedValueOnce(null);
    expect(await select()).toMatchObject({ status: 200, body: { tenantId: organization.id } });
    expect(first).toHaveBeenCalledTimes(2);
  });

  it('asks a member whose grant has ended to sign in again', async () => {
    await organization.admit(person, 'member');
    await app.sql('UPDATE grants SET ended_at = now() WHERE account_id = $1', [person.id]);
    expect((await select()).status).toBe(401);
  });

  it('is cleared of a deleted tenant in batches, until one is not full', async () => {
    const tenantId = 'deleted' as TenantId;
    const { sessionId } = await start('password');
    await app.sql(
      `INSERT INTO grants (id, session_id, account_id, client_id, tenant_id, idle_expires_at)
       SELECT 'grant-' || n, $1, $2, 'shop', $3, now() + interval '1 hour' FROM generate_series(1, 3) n`,
      [sessionId, person.id, tenantId],
    );
    const repeat = jest.fn();
    const clear = () => get(TenantSelectionService).clearDeletedTenant({ tenantId, batch: 2, repeat });
    await clear();
    expect(repeat).toHaveBeenCalledTimes(1);
    await clear();
    expect(repeat).toHaveBeenCalledTimes(1);
    expect(await app.sql('SELECT 1 FROM grants WHERE tenant_id = $1', [tenantId])).toEqual([]);
  });
});

describe('The tokens of a grant', () => {
  const scopeOf = (accessToken: string) => decodeJwt(accessToken)['scope'];

  it('name the requested tenant in place of the one in the grant, or none', async () => {
    await organization.admit(person, 'admin');
    const grant = { ...(await start('password')), tenantId: organization.id as TenantId };
    const issue = (tenantId?: TenantId | null) => get(TokenIssuer).issue(grant, tenantId);
    const own = await issue();
    expect(own).toMatchObject({ tenantId: organization.id });
    expect(String(scopeOf(own.accessToken)).split(' ')).toContain('iam:invitation:create');
    const none = await issue(null);
    expect(none).toMatchObject({ tenantId: null });
    expect(scopeOf(none.accessToken)).toBeUndefined();
  });

  it('leave out a tenant of which the person is no member', async () => {
    const grant = await start('password');
    const issued = await get(TokenIssuer).issue({ ...grant, tenantId: organization.id as TenantId });
    expect(issued).toMatchObject({ tenantId: null });
    expect(scopeOf(issued.accessToken)).toBeUndefined();
  });
});

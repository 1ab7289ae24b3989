import type { EmergencyEntries } from '../../src/session/grants/emergency-entries.js';
import type { CallerScopes, SignInCheck } from '../../src/ability/index.js';
import type {
  AccountService,
  AuditTrail,
  CredentialService,
  MembershipDirectory,
} from '../../src/iam/index.js';
import {
  FIRST_PARTY_CLIENT,
  type PersonPrincipal,
  type SessionId,
  type SignInVerdict,
  type TenantId,
  type UserId,
} from '../../src/kernel/index.js';
import type { Settings } from '../../src/platform/config/index.js';
import { Secret } from '../../src/platform/config/secret.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import type { Database } from '../../src/platform/database/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import type { Lifecycle } from '../../src/platform/lifecycle/index.js';
import type { ChangeFeed } from '../../src/platform/live/index.js';
import type { Metrics } from '../../src/platform/observability/index.js';
import type { GrantRepository, GrantState, GrantView } from '../../src/session/grants/grant.repository.js';
import { TenantSelectionService } from '../../src/session/grants/tenant-selection.service.js';
import { LoginService } from '../../src/session/sessions/login.service.js';
import { LogoutService } from '../../src/session/sessions/logout.service.js';
import { SessionLiveness } from '../../src/session/sessions/session-liveness.js';
import type { SessionRepository } from '../../src/session/sessions/session.repository.js';
import { SessionService } from '../../src/session/sessions/session.service.js';
import type { SignInNotices } from '../../src/session/sign-in-notices/sign-in-notices.js';
import type {
  AccessTokenService,
  AccessTokenSubject,
} from '../../src/session/tokens/access-token.service.js';
import { RefreshTokenCodec } from '../../src/session/tokens/refresh-token.js';
import { TokenIssuer } from '../../src/session/tokens/token-issuer.js';
import '../../src/authenticator/authenticator.errors.js';
import type { Proof } from '../../src/session/evidence/evidence.js';
import type {
  FirstFactorService,
  RequiredFactor,
} from '../../src/session/second-factor/first-factor.service.js';
import '../../src/session/session.errors.js';

const methodsOf = (proofs: readonly Proof[]) => proofs.map(({ method }) => method).join();
const ADA = 'ada' as UserId;
const SESSION = 'session' as SessionId;
const [HOME, AWAY] = ['home', 'away'] as [TenantId, TenantId];
const SHOP = 'shop';
const GRANT = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const CLIENT = { ipAddress: '203.0.113.7', userAgent: 'agent', locale: null };
const settings = {
  ACCESS_TOKEN_TTL: 600,
  SESSION_TTL: 7_200,
  REFRESH_IDLE_TTL: 3_600,
  REFRESH_RETRY_WINDOW: 10,
} as Settings;
const codec = new RefreshTokenCodec(new KeyDerivation(new Secret(Buffer.alloc(32, 1))));

const NO_EMERGENCY = { note: () => Promise.resolve() } as unknown as EmergencyEntries;

const view = (changes: Partial<GrantState> = {}): GrantState => ({
  grantId: GRANT,
  sessionId: SESSION,
  userId: ADA,
  clientId: FIRST_PARTY_CLIENT,
  tenantId: null,
  grantedScopes: null,
  dpopJkt: null,
  generation: 5,
  authTime: new Date(0),
  aal2Time: null,
  phrTime: null,
  trustedDevice: false,
  assuredBy: [],
  assuredFactor: false,
  ownProofMissing: false,
  amr: ['pwd'],
  refreshExpiresIn: 3_600,
  alive: true,
  withinRetryWindow: true,
  ...changes,
});

/** What has happened, in order. */
let done: string[];
/** Tenants of the user. */
let memberships: string[];
/** Verdicts of tenants that have a policy. */
let judged: Map<TenantId, SignInVerdict>;
let counted: [counter: string, label: string][];
let commits: (() => void)[];
beforeEach(() => {
  done = [];
  memberships = [HOME];
  judged = new Map();
  counted = [];
  commits = [];
});

/** Tells where transactions begin and end. */
const database = {
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    done.push('begin');
    const result = await work();
    done.push('commit');
    commits.splice(0).forEach((after) => after());
    return result;
  },
  afterCommit: (work: () => void) => commits.push(work),
} as unknown as Database;
const directory = {
  isMemberUncached: (_: UserId, tenantId: TenantId) => {
    done.push(`membership of ${tenantId}`);
    return Promise.resolve(memberships.includes(tenantId));
  },
  findScopes: (_: UserId, tenantId: TenantId) =>
    Promise.resolve(memberships.includes(tenantId) ? ['iam:read', 'iam:write'] : null),
} as unknown as MembershipDirectory;
/** Judges sign-ins by the policies of {@link judged}. */
const signIns = {
  hasPolicy: (tenantId: TenantId) => Promise.resolve(judged.has(tenantId)),
  judge: (_: GrantView, tenantId: TenantId) =>
    Promise.resolve(judged.get(tenantId) ?? { accepted: true, secondFactorBy: null }),
  require: (_: GrantView, tenantId: TenantId) => {
    done.push(`judge for ${tenantId}`);
    if (judged.get(tenantId)?.accepted !== false) return Promise.resolve();
    return Promise.reject(new AppError('insufficient-user-authentication'));
  },
} as unknown as SignInCheck;
const audit = {
  record: (...events: { action: string; subject: string }[]) => {
    done.push(...events.map(({ action, subject }) => `${action} ${subject}`));
    return Promise.resolve();
  },
} as unknown as AuditTrail;
const metrics = {
  counter: ({ name }: { name: string }) => ({
    inc: (labels: Record<string, string>) => counted.push([name, Object.values(labels).join()]),
  }),
} as unknown as Metrics;
const issue = ({ generation, tenantId }: GrantView, requested?: TenantId) =>
  Promise.resolve({ generation, tenantId: requested ?? tenantId });
const issuer = {
  issue: async (...given: Parameters<typeof issue>) => ({
    ...(await issue(...given)),
    refreshToken: 'refresh',
  }),
  issueAccess: issue,
} as unknown as TokenIssuer;

/** Counts of events by label, as `label: count`, in order of the first. */
function countsOf(name: string): string[] {
  const labels = counted.filter(([counter]) => counter === `gatehouse_${name}`).map(([, label]) => label);
  return [...Map.groupBy(labels, (label) => label)].map(([label, all]) => `${label}: ${all.length}`);
}

describe('The selection of a tenant', () => {
  /** Results of the statement, one after the other. */
  let results: (GrantView | null)[];
  const caller = { userId: ADA, grantId: GRANT, clientId: FIRST_PARTY_CLIENT } as PersonPrincipal;
  const select = (tenantId: TenantId, clientId = FIRST_PARTY_CLIENT as string) => {
    const grants = {
      selectTenant: (_: string, userId: UserId, id: TenantId, mayMove: boolean) => {
        done.push(`select ${id} for ${userId}${mayMove ? '' : ', if it stays'}`);
        return Promise.resolve(results.shift() ?? null);
      },
    } as unknown as GrantRepository;
    return new TenantSelectionService(
      database,
      directory,
      signIns,
      NO_EMERGENCY,
      grants,
      issuer,
    ).selectTenant({ ...caller, clientId }, tenantId);
  };

  it('is one statement, and leaves the refresh token as it is', async () => {
    results = [view({ tenantId: HOME })];
    expect(await select(HOME)).toEqual({ generation: 5, tenantId: HOME });
    expect(done).toEqual([`select ${HOME} for ${ADA}`]);
  });

  it('is refused for those who are no members', async () => {
    results = [];
    await expect(select(AWAY)).rejects.toMatchObject({ code: 'not-a-member' });
    expect(done).toEqual([`select ${AWAY} for ${ADA}`, `membership of ${AWAY}`]);
  });

  it('is tried again for a member, whose membership may be newer than the first try', async () => {
    results = [null, view({ tenantId: HOME })];
    expect(await select(HOME)).toMatchObject({ tenantId: HOME });
    results = [null, null];
    await expect(select(HOME)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('is taken back if the tenant refuses the sign-in', async () => {
    judged.set(HOME, { accepted: false, shortfall: { acr: 'aal2' } });
    results = [view({ tenantId: HOME })];
    await expect(select(HOME)).rejects.toMatchObject({ code: 'insufficient-user-authentication' });
    expect(done).toEqual(['begin', `select ${HOME} for ${ADA}`, `judge for ${HOME}`]);
    judged.set(HOME, { accepted: true, secondFactorBy: null });
    results = [view({ tenantId: HOME })];
    expect(await select(HOME)).toMatchObject({ tenantId: HOME });
    expect(done.at(-1)).toBe('commit');
  });

  it('of a satellite moves nothing', async () => {
    results = [view({ clientId: SHOP, tenantId: HOME })];
    expect(await select(HOME, SHOP)).toMatchObject({ tenantId: HOME });
    results = [];
    await expect(select(HOME, SHOP)).rejects.toMatchObject({ code: 'not-a-member' });
    expect(done).toEqual(Array(2).fill(`select ${HOME} for ${ADA}, if it stays`));
  });

  it('is cleared of a deleted tenant in batches, until one is not full', async () => {
    const sizes = [5, 5, 4];
    const grants = {
      clearTenantOfAnyForUpdate: () => Promise.resolve(sizes.shift()),
      clearTenantsForUpdate: (userId: UserId, ids: TenantId[]) => {
        done.push(`clear ${ids.join()} of ${userId}`);
        return Promise.resolve();
      },
    } as unknown as GrantRepository;
    const selection = new TenantSelectionService(database, directory, signIns, NO_EMERGENCY, grants, issuer);
    const repeat = jest.fn();
    for (let n = 0; n < 3; n += 1) await selection.clearDeletedTenant({ tenantId: HOME, batch: 5, repeat });
    expect(repeat).toHaveBeenCalledTimes(2);
    await selection.clearEndedTenants({ userId: ADA, tenantIds: [HOME, AWAY] });
    expect(done).toEqual([`clear ${HOME},${AWAY} of ${ADA}`]);
  });
});

describe('The end of sessions', () => {
  let alive: SessionId[];
  beforeEach(() => {
    alive = [SESSION, 'second' as SessionId];
  });
  function service(): LogoutService {
    const end = (name: string, ids: SessionId[]) => {
      done.push(name);
      return Promise.resolve(ids);
    };
    const sessions = {
      end: (id: SessionId, userId: UserId) =>
        end(
          `end ${id} of ${userId}`,
          alive.filter((one) => one === id),
        ),
      endAll: (userId: UserId) => end(`end all of ${userId}`, alive),
      endOthers: (userId: UserId, except: SessionId) =>
        end(
          `end others of ${userId}`,
          alive.filter((id) => id !== except),
        ),
      deleteAll: (userId: UserId) => end(`delete all of ${userId}`, []),
    } as unknown as SessionRepository;
    const accounts = {
      lockForUpdate: (userId: UserId) => Promise.resolve(void done.push(`lock ${userId}`)),
    } as unknown as AccountService;
    const liveness = { forget: (id: SessionId) => done.push(`forget ${id}`) } as unknown as SessionLiveness;
    const lifecycle = {
      emit: (what: string) => Promise.resolve(void done.push(what)),
    } as unknown as Lifecycle;
    return new LogoutService(database, accounts, sessions, liveness, audit, lifecycle, {} as never, metrics);
  }
  const caller = { userId: ADA, sessionId: SESSION } as PersonPrincipal;
  const ended = (...ids: string[]) => [
    ...(ids.length > 0 ? ['session.ended'] : []),
    ...ids.map((id) => `session.ended iam/sessions/${id}`),
    'commit',
    ...ids.map((id) => `forget ${id}`),
  ];

  it('by a logout is that of the session, recorded and forgotten after the commit', async () => {
    await service().logout(caller);
    expect(done).toEqual(['begin', `end ${SESSION} of ${ADA}`, ...ended(SESSION)]);
  });

  it('of all, or all others, locks the account and voids its codes first', async () => {
    const first = ['begin', `lock ${ADA}`, 'account.signed-out'];
    expect(await service().logoutAll(caller)).toBe(2);
    expect(done).toEqual([...first, `end all of ${ADA}`, ...ended(SESSION, 'second')]);
    done = [];
    await service().logoutOthers(caller);
    expect(done).toEqual([...first, `end others of ${ADA}`, ...ended('second')]);
  });

  it('comes with a new password, a suspension and an erasure', async () => {
    await service().endAllSessions({ userId: ADA });
    expect(done).toEqual(['begin', `end all of ${ADA}`, ...ended(SESSION, 'second')]);
    done = [];
    await service().endOtherSessions(caller);
    expect(done).toEqual(['begin', `end others of ${ADA}`, ...ended('second')]);
    done = [];
    await service().deleteSessions({ userId: ADA, emailKey: null, tenantIds: [] });
    expect(done).toEqual(['begin', `end all of ${ADA}`, ...ended(SESSION, 'second'), `delete all of ${ADA}`]);
  });

  it('after a reuse is recorded with its cause, for a session that was alive', async () => {
    await service().endSessionAfterReuse({ sessionId: SESSION, userId: ADA }, 'satellite-code');
    expect(done).toEqual([
      'begin',
      `end ${SESSION} of ${ADA}`,
      `session.satellite-code-reused iam/sessions/${SESSION}`,
      ...ended(SESSION),
    ]);
    alive = [];
    done = [];
    await service().endSessionAfterReuse({ sessionId: SESSION, userId: ADA }, 'satellite-code');
    expect(done).toEqual(['begin', `end ${SESSION} of ${ADA}`, 'commit']);
    expect(countsOf('reuse_detections_total')).toEqual(['satellite-code: 2']);
  });
});

describe('The liveness of a session', () => {
  it('is read again once it has ended on this replica', async () => {
    let alive = [SESSION];
    const sessions = {
      findAlive: (ids: SessionId[]) => {
        done.push(`read ${ids.join()}`);
        return Promise.resolve(alive.filter((id) => ids.includes(id)));
      },
    } as unknown as SessionRepository;
    const feed = { healthy: true, inTransaction: false, listen: () => undefined };
    const liveness = new SessionLiveness(sessions, feed as unknown as ChangeFeed);
    for (let n = 0; n < 2; n += 1) expect(await liveness.isAlive(SESSION)).toBe(true);
    expect(done).toEqual([`read ${SESSION}`]);
    alive = [];
    expect(await liveness.isAlive(SESSION)).toBe(true);
    liveness.forget(SESSION);
    expect(await liveness.isAlive(SESSION)).toBe(false);
  });
});

type NewSession = Parameters<SessionRepository['insert']>[0];

describe('A session', () => {
  const start = (changes: Partial<Settings> = {}) => {
    const accounts = {
      requireForShare: (userId: UserId) => Promise.resolve(void done.push(`lock ${userId}`)),
    } as unknown as AccountService;
    const sessions = {
      insert: ({ userId, proofs, client, lifetimeSeconds, grant }: NewSession) => {
        done.push(`session of ${userId} by ${methodsOf(proofs)} for ${lifetimeSeconds}`);
        done.push(`grant for ${grant.clientId} for ${grant.idleSeconds}`);
        return Promise.resolve({ startedAt: client === CLIENT ? new Date(7) : null, ended: [] });
      },
      lockAliveForShare: (id: SessionId) => Promise.resolve(id === SESSION),
      listAlive: (userId: UserId) => Promise.resolve([`sessions of ${userId}`]),
    } as unknown as SessionRepository;
    const notices = {
      recordSignIn: (userId: UserId) => Promise.resolve(void done.push(`notice for ${userId}`)),
    } as unknown as SignInNotices;
    const unused = {} as never;
    const changed = { ...settings, ...changes };
    return new SessionService(accounts, sessions, audit, unused, notices, unused, unused, unused, changed);
  };

  it('starts with a first-party grant, for an active account', async () => {
    const grant = await start().startSessionOfLockedAccount(ADA, [{ method: 'google' }], CLIENT);
    expect(grant).toEqual({
      grantId: expect.any(String),
      sessionId: expect.any(String),
      userId: ADA,
      authTime: new Date(7),
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
      assuredBy: [],
      assuredFactor: false,
      ownProofMissing: false,
      clientId: FIRST_PARTY_CLIENT,
      tenantId: null,
      generation: 1,
      dpopJkt: null,
      grantedScopes: null,
      amr: ['google'],
      refreshExpiresIn: 3_600,
    });
    expect(grant.grantId).not.toBe(grant.sessionId);
    expect(done).toEqual([
      `session of ${ADA} by google for 7200`,
      `grant for ${FIRST_PARTY_CLIENT} for 3600`,
      `session.started iam/sessions/${grant.sessionId}`,
      `notice for ${ADA}`,
    ]);
  });

  it.each([
    [['password', 'totp'], ['pwd', 'otp'], new Date(7), null, false],
    [['oidc', 'recovery_code'], ['oidc', 'otp'], new Date(7), null, false],
    [['passkey'], ['pop', 'user'], new Date(7), new Date(7), false],
    [['password', 'trusted_device'], ['pwd'], null, null, true],
  ])(
    'that began by %j is as strong as its proofs',
    async (methods, amr, aal2Time, phrTime, trustedDevice) => {
      const proofs = methods.map((method) => ({ method }));
      expect(await start().startSessionOfLockedAccount(ADA, proofs, CLIENT)).toMatchObject({
        amr,
        aal2Time,
        phrTime,
        trustedDevice,
      });
    },
  );

  it('is no shorter than its grant', async () => {
    const { refreshExpiresIn } = await start({ SESSION_TTL: 60 }).startSessionOfLockedAccount(
      ADA,
      [{ method: 'password' }],
      CLIENT,
    );
    expect(refreshExpiresIn).toBe(60);
  });

  it('is locked after its account, and listed', async () => {
    expect(await start().lockForShare({ userId: ADA, sessionId: SESSION })).toBe(true);
    expect(done).toEqual([`lock ${ADA}`]);
    expect(await start().lockForShare({ userId: ADA, sessionId: 'another' as SessionId })).toBe(false);
    expect(await start().list(ADA, { limit: 1, after: null }, null)).toEqual([`sessions of ${ADA}`]);
  });
});

describe('A login', () => {
  const login = (fail?: unknown, required?: RequiredFactor) => {
    const credentials = {
      proveAtLogin: () =>
        fail ? Promise.reject(fail) : Promise.resolve({ userId: ADA, passwordVersion: 3 }),
    } as unknown as CredentialService;
    const accounts = {
      requireUnchangedForShare: (userId: UserId, version: number) =>
        Promise.resolve(void done.push(`require ${userId} at ${version}`)),
    } as unknown as AccountService;
    const firstFactors = {
      proceed: ({ userId }: { userId: UserId }, proof: Proof, _: object, deviceToken?: string) => {
        done.push(`proceed by ${methodsOf([proof])} with ${deviceToken}`);
        return Promise.resolve(required ? { required } : { grant: view({ userId, generation: 1 }) });
      },
    } as unknown as FirstFactorService;
    return new LoginService(database, credentials, accounts, firstFactors, issuer, metrics).login(
      { email: 'ada@example.com', password: 'password', deviceToken: 'device' },
      CLIENT,
    );
  };

  it('starts a session of the account as it was when the password was verified', async () => {
    expect(await login()).toMatchObject({ generation: 1 });
    expect(done).toEqual(['begin', `require ${ADA} at 3`, 'proceed by password with device', 'commit']);
    expect(countsOf('logins_total')).toEqual(['signed-in: 1']);
  });

  it('is refused with a challenge after the commit of what waits for the second factor', async () => {
    const required = { challenge: 'challenge', methods: ['totp'], expiresInSeconds: 600 };
    await expect(login(undefined, required)).rejects.toMatchObject({
      code: 'second-factor-required',
      members: required,
    });
    expect(done.at(-1)).toBe('commit');
    expect(countsOf('logins_total')).toEqual(['second-factor-required: 1']);
  });

  it('is counted by its outcome', async () => {
    for (const error of [
      new AppError('invalid-credentials'),
      new AppError('email-not-verified'),
      new AppError('unavailable'),
      new Error('of ours'),
    ])
      await expect(login(error)).rejects.toBe(error);
    expect(countsOf('logins_total')).toEqual([
      'invalid-credentials: 1',
      'email-not-verified: 1',
      'unavailable: 2',
    ]);
  });
});

describe('The tokens of a grant', () => {
  let clientScopes: string[];
  let signed: AccessTokenSubject[];
  beforeEach(() => {
    clientScopes = ['iam:read'];
    signed = [];
  });
  const issue = (grant: GrantView, tenantId?: TenantId | null) => {
    const accessTokens = {
      sign: (subject: AccessTokenSubject) => {
        signed.push(subject);
        return 'access';
      },
    } as unknown as AccessTokenService;
    const callers = {
      getClientScopes: (clientId: string, lock: boolean) => {
        done.push(lock ? `lock ${clientId}` : clientId);
        return Promise.resolve((scope: string) => clientScopes.includes(scope));
      },
    } as unknown as CallerScopes;
    return new TokenIssuer(accessTokens, codec, directory, callers, signIns, settings).issue(grant, tenantId);
  };

  it('name no tenant and no scopes without a selected tenant', async () => {
    expect(await issue(view())).toEqual({
      tokenType: 'Bearer',
      accessToken: 'access',
      expiresIn: 600,
      refreshToken: codec.encode({ grantId: GRANT, generation: 5 }),
      refreshExpiresIn: 3_600,
      sessionId: SESSION,
      tenantId: null,
    });
    expect(signed).toMatchObject([{ userId: ADA, tenantId: null, scopes: [] }]);
    expect(done).toEqual([]);
  });

  it('name the tenant of the grant, with the scopes that the client may use', async () => {
    expect(await issue(view({ tenantId: HOME, clientId: SHOP }))).toMatchObject({ tenantId: HOME });
    expect(signed).toMatchObject([{ tenantId: HOME, scopes: ['iam:read'] }]);
    expect(done).toEqual([SHOP]);
  });

  it('name the requested tenant in place of it, or none', async () => {
    memberships = [HOME, AWAY];
    expect(await issue(view({ tenantId: HOME }), AWAY)).toMatchObject({ tenantId: AWAY });
    expect(await issue(view({ tenantId: HOME }), null)).toMatchObject({ tenantId: null });
  });

  it('leave out a tenant that refuses the sign-in, and say how long one is accepted without', async () => {
    judged.set(HOME, { accepted: false, shortfall: { acr: 'aal2' } });
    const refused = await issue(view({ tenantId: HOME }));
    expect(refused).toMatchObject({ tenantId: null });
    expect(signed).toMatchObject([{ tenantId: null, scopes: [] }]);
    judged.set(HOME, { accepted: true, secondFactorBy: new Date('2026-12-01T00:00:00Z') });
    expect(await issue(view({ tenantId: HOME }))).toMatchObject({
      tenantId: HOME,
      secondFactorBy: '2026-12-01T00:00:00.000Z',
    });
  });

  it('leave out a tenant whose membership has ended', async () => {
    expect(await issue(view({ tenantId: AWAY }))).toMatchObject({ tenantId: null });
    expect(signed).toMatchObject([{ tenantId: null, scopes: [] }]);
  });
});

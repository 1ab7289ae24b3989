/** @service separate */
import { ulid } from 'ulid';
import {
  assurerOf,
  evidenceIn,
  factorScopeOf,
  findAssurance,
  isOwnProofMissing,
  judgeSignIn,
  selectedEvidence,
  type SessionId,
  type SetSignInPolicy,
  type SignInEvidence,
  strengthOf,
  type TenantId,
} from '../../src/kernel/index.js';

const NOW = Date.UTC(2026, 10, 24, 12);
const HOUR = 3_600;
const DAY = 24 * HOUR;
const ago = (seconds: number) => new Date(NOW - seconds * 1_000);
const inFuture = (seconds: number) => ago(-seconds);

interface Session {
  /** Age of the session and of its proofs, in seconds. */
  began: number;
  proven: number;
  aal2: number | null;
  phr: number | null;
  trustedDevice: boolean;
  assuredBy: readonly TenantId[];
  assuredFactor: boolean;
  ownProofMissing: boolean;
}

const evidenceOf = (changes: Partial<Session>): SignInEvidence => {
  const { began, proven, aal2, phr, ...more }: Session = {
    began: 60,
    proven: 60,
    aal2: null,
    phr: null,
    trustedDevice: false,
    assuredBy: [],
    assuredFactor: false,
    ownProofMissing: false,
    ...changes,
  };
  return {
    sessionId: ulid(NOW - began * 1_000) as SessionId,
    authTime: ago(proven),
    aal2Time: aal2 === null ? null : ago(aal2),
    phrTime: phr === null ? null : ago(phr),
    ...more,
  };
};

const TENANT = '01K3V9D7Q8Z4X5N6M7P8R9S0T1' as TenantId;
const OTHER = '01K3V9D7Q8Z4X5N6M7P8R9S0T2' as TenantId;

const policyOf = (changes: Partial<SetSignInPolicy>): SetSignInPolicy => ({
  secondFactor: 'optional',
  graceDays: 0,
  sso: 'optional',
  otherConnections: true,
  trustedDevices: true,
  maxAuthAgeSeconds: null,
  sessionMaxHours: null,
  supportAccess: 'never',
  stations: 'off',
  pinReset: 'second-factor',
  secondFactorSince: changes.secondFactor === undefined ? null : ago(DAY).toISOString(),
  ...changes,
});

describe('The judgement of a sign-in', () => {
  beforeEach(() => jest.useFakeTimers({ now: NOW }));
  afterEach(() => jest.useRealTimers());

  const judge = (session: Partial<Session>, policy: Partial<SetSignInPolicy>, joined = 10 * DAY) =>
    judgeSignIn(evidenceOf(session), policyOf(policy), ago(joined), TENANT);

  const password = {};
  const twoFactors = { aal2: 60 };
  const passkey = { aal2: 60, phr: 60 };
  const device = { trustedDevice: true };
  const byConnection = { assuredBy: [TENANT], assuredFactor: true };
  const required = { secondFactor: 'required' } as const;
  const phishingResistant = { secondFactor: 'phishing_resistant' } as const;
  const noDevices = { trustedDevices: false };
  const young = { maxAuthAgeSeconds: HOUR };

  it.each<[string, Partial<Session>, Partial<SetSignInPolicy>]>([
    ['a password where nothing is asked', password, {}],
    ['two factors', twoFactors, required],
    ['a passkey', passkey, required],
    ['a passkey where it is required', passkey, phishingResistant],
    ['a trusted device', device, required],
    ['a trusted device where nothing is asked', device, {}],
    ['two factors of its own connection', byConnection, { ...required, ...noDevices }],
    ['them, proven recently', { began: HOUR, proven: HOUR, ...byConnection }, { ...required, ...young }],
    ['a factor in the session of a trusted device', { ...device, ...twoFactors }, noDevices],
    ['no trusted device where none counts', password, noDevices],
    ['a recent password', { proven: HOUR }, young],
    ['a recent second factor', { began: DAY, proven: HOUR, aal2: HOUR }, { ...required, ...young }],
    ['a trusted device shown recently', { began: HOUR, proven: HOUR, ...device }, { ...required, ...young }],
    ['a session of the maximum age', { began: 2 * HOUR, proven: 0 }, { sessionMaxHours: 2 }],
    ['an old session without a maximum', { began: 90 * DAY, proven: 90 * DAY }, {}],
  ])('accepts %s', (_, session, policy) => {
    expect(judge(session, policy)).toEqual({ accepted: true, secondFactorBy: null });
  });

  it.each<[string, Partial<Session>, Partial<SetSignInPolicy>, object]>([
    ['a password', password, required, { acr: 'aal2' }],
    ['two factors without a passkey', twoFactors, phishingResistant, { acr: 'phr' }],
    ['a trusted device in place of a passkey', device, phishingResistant, { acr: 'phr' }],
    ['factors of its connection in place of a passkey', byConnection, phishingResistant, { acr: 'phr' }],
    ['those of another organization', { ...byConnection, assuredBy: [OTHER] }, required, { acr: 'aal2' }],
    ['one factor of its connection', { assuredBy: [TENANT] }, required, { acr: 'aal2' }],
    [
      'factors of its connection of long ago, whatever was confirmed since',
      { began: HOUR + 1, proven: 0, ...byConnection },
      { ...required, ...young },
      { acr: 'aal2', maxAge: HOUR },
    ],
    ['a trusted device where none counts', device, { ...required, ...noDevices }, { acr: 'aal2' }],
    ['one even where no factor is required', device, noDevices, { acr: 'aal2' }],
    ['an old password', { proven: HOUR + 1 }, young, { acr: 'aal1', maxAge: HOUR }],
    [
      'a recent password with an old factor',
      { began: DAY, proven: 0, aal2: HOUR + 1 },
      { ...required, ...young },
      { acr: 'aal2', maxAge: HOUR },
    ],
    [
      'a trusted device shown long ago, whatever was confirmed since',
      { began: HOUR + 1, proven: 0, ...device },
      { ...required, ...young },
      { acr: 'aal2', maxAge: HOUR },
    ],
    [
      'an old session, whatever was confirmed since',
      { began: 2 * HOUR + 1, proven: 0, aal2: 0, phr: 0 },
      { sessionMaxHours: 2 },
      { newSession: true },
    ],
  ])('refuses %s', (_, session, policy, shortfall) => {
    expect(judge(session, policy)).toEqual({ accepted: false, shortfall });
  });

  describe('within grace days', () => {
    const grace = { ...required, graceDays: 3 };

    it('accepts a password until they end, counted from the policy', () => {
      expect(judge(password, grace)).toEqual({ accepted: true, secondFactorBy: inFuture(2 * DAY) });
      const almost = { ...grace, secondFactorSince: ago(3 * DAY - 1).toISOString() };
      expect(judge(password, almost)).toMatchObject({ accepted: true });
      const over = { ...grace, secondFactorSince: ago(3 * DAY).toISOString() };
      expect(judge(password, over)).toEqual({ accepted: false, shortfall: { acr: 'aal2' } });
    });

    it('counts them from the joining of a later member', () => {
      const old = { ...grace, secondFactorSince: ago(30 * DAY).toISOString() };
      expect(judge(password, old, HOUR)).toEqual({
        accepted: true,
        secondFactorBy: inFuture(3 * DAY - HOUR),
      });
      expect(judge(password, old, 3 * DAY)).toMatchObject({ accepted: false });
    });

    it('says nothing to who satisfies the policy', () => {
      expect(judge(twoFactors, grace)).toEqual({ accepted: true, secondFactorBy: null });
    });

    it('gives time to add a passkey as well', () => {
      expect(judge(twoFactors, { ...phishingResistant, graceDays: 3 })).toMatchObject({
        accepted: true,
        secondFactorBy: inFuture(2 * DAY),
      });
    });

    it('refuses what the rest of the policy refuses', () => {
      expect(judge({ proven: HOUR + 1 }, { ...grace, ...young })).toEqual({
        accepted: false,
        shortfall: { acr: 'aal1', maxAge: HOUR },
      });
      expect(judge(device, { ...grace, ...noDevices })).toEqual({
        accepted: false,
        shortfall: { acr: 'aal2' },
      });
      expect(judge({ began: 2 * HOUR + 1 }, { ...grace, sessionMaxHours: 2 })).toEqual({
        accepted: false,
        shortfall: { newSession: true },
      });
    });
  });
});

describe('Single sign-on that an organization requires', () => {
  it.each<[string, Partial<Session>, ReturnType<typeof findAssurance>]>([
    ['by its own connection', { assuredBy: [OTHER, TENANT] }, 'by-connection'],
    ['by its own connection, whatever else', { assuredBy: [TENANT], aal2: 60 }, 'by-connection'],
    ['by the connection of another organization', { assuredBy: [OTHER] }, null],
    ['by two factors of the person', { assuredBy: [OTHER], aal2: 60 }, 'in-emergency'],
    ['by a passkey', { aal2: 60, phr: 60 }, 'in-emergency'],
    ['by a password', {}, null],
    ['by a trusted device', { trustedDevice: true }, null],
    ['by two factors of the connection of another', { assuredBy: [OTHER], assuredFactor: true }, null],
  ])('judges a sign-in %s', (_, session, voucher) => {
    expect(findAssurance(evidenceOf(session), TENANT)).toBe(voucher);
  });
});

describe('A session that only a connection stands behind', () => {
  const assured = evidenceOf({ ownProofMissing: true, assuredBy: [TENANT], aal2: 60, phr: 60 });

  it("belongs to the connection's organization, whatever was enrolled in it", () => {
    const places = [TENANT, OTHER, null];
    expect(places.map((place) => isOwnProofMissing(assured, place))).toEqual([false, true, true]);
    const own = { ...assured, ownProofMissing: false };
    expect(places.map((place) => isOwnProofMissing(own, place))).toEqual([false, false, false]);
  });

  it('has no second factor, passkey or trusted device in another organization', () => {
    expect(evidenceIn(assured, TENANT)).toBe(assured);
    expect(evidenceIn({ ...assured, trustedDevice: true }, OTHER)).toMatchObject({
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
    });
    expect(findAssurance(assured, OTHER)).toBeNull();
  });

  it('stands behind a strong key of that organization only', () => {
    const policy = policyOf({});
    const byDevice = { ...assured, aal2Time: null, phrTime: null, trustedDevice: true };
    expect([TENANT, OTHER].map((place) => strengthOf(assured, policy, place))).toEqual(['phr', 'aal1']);
    expect([TENANT, OTHER].map((place) => strengthOf(byDevice, policy, place))).toEqual(['aal2', 'aal1']);
  });

  it('has all of its evidence outside of organizations, and else what counts in the selected one', () => {
    const selected = (tenantId: TenantId | null) => selectedEvidence({ ...assured, tenantId }).aal2Time;
    expect([TENANT, null, OTHER].map(selected)).toEqual([assured.aal2Time, assured.aal2Time, null]);
  });

  it('adds factors that count in that organization only', () => {
    expect([assurerOf(assured), factorScopeOf(assured)]).toEqual([TENANT, [TENANT]]);
    const own = { ...assured, ownProofMissing: false };
    expect([assurerOf(own), factorScopeOf(own)]).toEqual([null, []]);
  });
});

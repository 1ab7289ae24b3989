import type { Counts } from '../../src/platform/counts/index.js';
import type { RequiredFactor } from '../../src/session/index.js';
import type { Proof } from '../../src/session/evidence/evidence.js';
import { ExternalEntry } from '../../src/external-identity/flow/external-entry.js';
import { FlowMetrics } from '../../src/external-identity/flow/flow-metrics.js';
import { ProviderFlows } from '../../src/external-identity/flow/provider-flows.js';
import { SignInService } from '../../src/external-identity/flow/sign-in.service.js';
import { type FlowState, UnusableState } from '../../src/external-identity/flow/state/state-store.js';
import { SignInError, type ProvenProfile } from '../../src/external-identity/providers/provider.js';
import type { ProviderRegistry } from '../../src/external-identity/providers/provider.registry.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { Settings } from '../../src/platform/config/index.js';
import { codeChallengeOf, KeyDerivation } from '../../src/platform/crypto/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import { Metrics } from '../../src/platform/observability/index.js';

const CLIENT = { ipAddress: '203.0.113.7', userAgent: null, locale: null };
const state = { kind: 'oidc', flowId: 'flow-1' } as FlowState;
const profile: ProvenProfile = {
  issuer: 'https://provider.example',
  subject: 'ada',
  email: null,
  emailProof: 'none',
  firstName: null,
};

describe('A sign-in', () => {
  const calls = { complete: 0 };
  const resolved: unknown[] = [];
  let resolve: () => Promise<string>;
  let need: RequiredFactor | undefined;
  beforeEach(() => {
    calls.complete = 0;
    resolved.length = 0;
    need = undefined;
  });
  const service = () =>
    new SignInService(
      { transaction: (work: () => Promise<unknown>) => work() } as never,
      {
        complete: () => Promise.resolve((calls.complete += 1) > 0),
        consumeOnce: () => Promise.resolve(true),
      } as never,
      {} as never,
      new ExternalEntry(
        {
          resolve: async (signIn: object) => {
            resolved.push(signIn);
            return { userId: await resolve(), proof: {} };
          },
        } as never,
        {
          proceedOf: (userId: string, { method }: Proof) =>
            Promise.resolve(need ? { required: need } : { grant: { userId, method } }),
        } as never,
        { insert: () => Promise.resolve() } as never,
      ),
      {
        issue: (grant: unknown) =>
          Promise.resolve({
            accessToken: JSON.stringify(grant),
            refreshToken: 'refresh',
            tokenType: 'Bearer',
            expiresIn: 900,
            sessionId: 'session',
          }),
      } as never,
    );
  const finish = (changes: Partial<FlowState> = {}) =>
    service().finish({ ...state, ...changes }, profile, CLIENT);

  it('ends in a challenge where the account also asks for a second factor', async () => {
    resolve = () => Promise.resolve('user-1');
    need = { challenge: 'challenge', methods: ['totp', 'recovery_code'], expiresInSeconds: 600 };
    expect(await finish()).toEqual({
      error: 'second_factor_required',
      error_description: 'This account also asks for a second factor.',
      challenge: 'challenge',
      methods: 'totp recovery_code',
    });
  });

  it('ends in the tokens of a session by this provider', async () => {
    resolve = () => Promise.resolve('user-1');
    expect(await finish()).toEqual({
      access_token: JSON.stringify({ userId: 'user-1', method: 'oidc' }),
      refresh_token: 'refresh',
      token_type: 'Bearer',
      expires_in: '900',
      session_id: 'session',
    });
    expect(resolved).toEqual([{ kind: 'oidc', connectionId: undefined, profile }]);
  });

  it('ends in a code for a page that has sent a challenge', async () => {
    expect(await finish({ codeChallenge: 'challenge' })).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it.each([
    ['identity_taken', () => new SignInError('identity_taken')],
    ['account_exists', () => new SignInError('account_exists')],
    ['unauthenticated', () => new AppError('unauthenticated')],
  ])('is tried again twice after a race that ends in %s', async (_, lost) => {
    resolve = () => (calls.complete === 3 ? Promise.resolve('user-1') : Promise.reject(lost()));
    expect(await finish()).toMatchObject({ session_id: 'session' });
    resolve = () => Promise.reject(lost());
    await expect(finish()).rejects.toEqual(lost());
    expect(calls.complete).toBe(6);
  });

  it.each([
    ['the provider', () => new SignInError('provider_unavailable')],
    ['the flow', () => new UnusableState()],
    ['the database', () => new AppError('unavailable')],
    ['this service', () => new TypeError('of ours')],
  ])('is tried once after a fault of %s', async (_, fault) => {
    resolve = () => Promise.reject(fault());
    await expect(finish()).rejects.toEqual(fault());
    expect(calls.complete).toBe(1);
  });
});

describe('The secrets of a flow', () => {
  const [OLD, NEW] = [1, 2].map((byte) => new Secret(Buffer.alloc(32, byte))) as [
    Secret<Buffer>,
    Secret<Buffer>,
  ];
  const flowsOf = (...secrets: [Secret<Buffer>, ...Secret<Buffer>[]]) =>
    new ProviderFlows(new KeyDerivation(...secrets), { PUBLIC_URL: 'https://id.example' } as Settings);
  const before = flowsOf(OLD);
  const flow = { ...state, keyId: before.keyId };

  it('are derived from its id, for the callback of its kind', () => {
    const one = before.of(flow, 'signed');
    expect(one).toMatchObject({
      state: 'signed',
      redirectUri: 'https://id.example/api/iam/auth/external/oidc/callback',
      codeChallenge: codeChallengeOf(one.codeVerifier),
    });
    expect(one.maxAgeSeconds).toBeUndefined();
    expect(before.of(flow, 'signed')).toEqual(one);
    const other = before.of({ ...flow, flowId: 'flow-2' }, 'signed');
    expect(new Set([one.nonce, one.codeVerifier, other.nonce, other.codeVerifier]).size).toBe(4);
    expect(before.of({ ...flow, maxAgeSeconds: 600 }, 'signed').maxAgeSeconds).toBe(600);
  });

  it('stay those of the root secret that it was started under', () => {
    const after = flowsOf(NEW, OLD);
    expect(after.keyId).not.toBe(before.keyId);
    expect(after.of(flow, 'signed')).toEqual(before.of(flow, 'signed'));
    expect(after.of({ ...flow, keyId: after.keyId }, 'signed').nonce).not.toBe(
      before.of(flow, 'signed').nonce,
    );
    expect(flowsOf(NEW).of(flow, 'signed').nonce).not.toBe(before.of(flow, 'signed').nonce);
  });
});

describe('The count of external sign-ins', () => {
  const metrics = new Metrics();
  const counts = new FlowMetrics(
    metrics,
    { kinds: ['oidc', 'saml'] } as unknown as ProviderRegistry,
    { tally: () => ({}) } as unknown as Counts,
  );
  counts.onModuleInit();
  const shown = async (name: string) =>
    (await metrics.show())
      .split('\n')
      .filter((line) => line.startsWith(`gatehouse_external_sign_ins_${name}{`) && !line.endsWith(' 0'));

  it('has each start and each end by its kind', async () => {
    counts.started('saml');
    counts.ended('oidc', 'signed_in');
    expect(await shown('started_total')).toEqual([
      'gatehouse_external_sign_ins_started_total{kind="saml"} 1',
    ]);
    expect(await shown('total')).toEqual([
      'gatehouse_external_sign_ins_total{kind="oidc",outcome="signed_in"} 1',
    ]);
  });

  it('has a state that cannot be used, and no other error', async () => {
    expect(await counts.counted('oidc', () => Promise.resolve('done'))).toBe('done');
    for (const error of [new UnusableState(), new AppError('unavailable'), new Error('of ours')])
      await expect(counts.counted('saml', () => Promise.reject(error))).rejects.toBe(error);
    expect(await shown('total')).toEqual([
      'gatehouse_external_sign_ins_total{kind="oidc",outcome="signed_in"} 1',
      'gatehouse_external_sign_ins_total{kind="saml",outcome="unusable_state"} 1',
    ]);
  });
});

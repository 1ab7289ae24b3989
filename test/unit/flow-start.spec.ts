import type { FlowMetrics } from '../../src/external-identity/flow/flow-metrics.js';
import { ProviderFlows } from '../../src/external-identity/flow/provider-flows.js';
import { ReturnUris } from '../../src/external-identity/flow/return/return-uris.js';
import { StartService } from '../../src/external-identity/flow/start.service.js';
import { StateCodec, StateStore } from '../../src/external-identity/flow/state/state-store.js';
import type { StateRepository } from '../../src/external-identity/flow/state/state.repository.js';
import type { FlowStep, SignInStrategy } from '../../src/external-identity/providers/provider.js';
import type { ProviderRegistry } from '../../src/external-identity/providers/provider.registry.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { Settings } from '../../src/platform/config/index.js';
import { KeyDerivation } from '../../src/platform/crypto/index.js';
import type { PersonPrincipal } from '../../src/kernel/index.js';

const settings = {
  PUBLIC_URL: 'https://id.example',
  APP_URL: 'https://app.example',
  RETURN_URIS: ['https://app.example'],
} as unknown as Settings;
const keys = new KeyDerivation(new Secret(Buffer.alloc(32, 1)));
const codec = new StateCodec(keys);
const flows = new ProviderFlows(keys, settings);
const caller = { userId: 'user-1', sessionId: 'session-1', tenantId: 'tenant-1' } as PersonPrincipal;

/** A provider that shows what it was asked, in the address that it sends the browser to. */
class Provider {
  readonly configured = true;
  readonly provesAuthenticationTime: boolean | undefined;
  readonly stateKeyParameter: string | undefined;
  readonly broken: boolean;
  redirect: (address: string) => void;
  error: (error: unknown) => void;

  constructor(options: { proves?: boolean; stateKey?: string; broken?: boolean } = {}) {
    this.provesAuthenticationTime = options.proves;
    this.stateKeyParameter = options.stateKey;
    this.broken = options.broken ?? false;
  }

  authenticate(_: unknown, { flow }: FlowStep): void {
    if (this.broken) return this.error(new Error('away'));
    this.redirect(`https://provider.example/?state=${flow.state}&maxAge=${flow.maxAgeSeconds}`);
  }
}

/** Rows of stored states, by the hash of their key. */
const stored = new Map<string, { state: string; userId: string | null; seconds: number }>();
const states = new StateStore(codec, {
  insert: (key: Buffer, state: string, userId: string | null, seconds: number) =>
    Promise.resolve(void stored.set(key.toString('hex'), { state, userId, seconds })),
  find: (key: Buffer) => Promise.resolve(stored.get(key.toString('hex'))?.state ?? null),
} as unknown as StateRepository);

let started: string[];
beforeEach(() => {
  started = [];
  stored.clear();
});
const start = (provider: Provider, request = {}, link?: PersonPrincipal) =>
  new StartService(
    { get: () => provider as unknown as SignInStrategy } as unknown as ProviderRegistry,
    new ReturnUris(settings),
    states,
    flows,
    { started: (kind: string) => started.push(kind) } as unknown as FlowMetrics,
    {} as never,
  ).start('oidc', request, link);
const receive = (provider: Provider, parameters: Record<string, string>, kind = 'oidc') =>
  states.receive(kind, provider as unknown as SignInStrategy, parameters);

describe('A started flow', () => {
  it('carries what the callback needs, and no more than was asked for', async () => {
    const flow = await start(new Provider());
    expect(flow).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      kind: 'oidc',
      authorizationUrl: `https://provider.example/?state=${flow.state}&maxAge=undefined`,
      state: expect.any(String),
      redirectUri: 'https://id.example/api/iam/auth/external/oidc/callback',
      returnUri: 'https://app.example',
    });
    const state = codec.decode(flow.state);
    expect(state).toEqual({
      kind: 'oidc',
      flowId: flow.id,
      keyId: flows.keyId,
      returnUri: 'https://app.example',
      expiresAt: expect.any(Number),
    });
    const lifetime = (state?.expiresAt ?? 0) - Date.now() / 1000;
    expect(lifetime).toBeGreaterThan(590);
    expect(lifetime).toBeLessThanOrEqual(600);
    expect(started).toEqual(['oidc']);
  });

  it('carries the challenge, the browser, the greatest age and the session that links', async () => {
    const request = {
      returnUri: 'https://app.example/in',
      codeChallenge: 'challenge',
      maxAge: 600,
      browser: { browser: 'hash', begunByBrowser: true },
    };
    const flow = await start(new Provider({ proves: true }), request, caller);
    expect(flow.authorizationUrl).toContain('maxAge=600');
    expect(codec.decode(flow.state)).toMatchObject({
      returnUri: 'https://app.example/in',
      codeChallenge: 'challenge',
      maxAgeSeconds: 600,
      browser: 'hash',
      begunByBrowser: true,
      link: { userId: 'user-1', sessionId: 'session-1' },
    });
    expect(codec.decode(flow.state)?.link).not.toHaveProperty('tenantId');
  });

  it.each([undefined, false])(
    'is refused with a greatest age that the provider does not prove (%s)',
    async (proves) => {
      const provider = new Provider(proves === undefined ? {} : { proves });
      await expect(start(provider, { maxAge: 600 })).rejects.toMatchObject({
        violations: [{ propertyPath: 'maxAge' }],
      });
      expect(started).toEqual([]);
      await start(provider);
    },
  );

  it('is refused for a time while the provider is away', async () => {
    await expect(start(new Provider({ broken: true }))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
      detail: expect.stringContaining('provider is not available'),
      cause: expect.objectContaining({ message: 'away' }),
    });
    expect(started).toEqual([]);
  });
});

describe('The state of a flow', () => {
  it('comes back by itself where the protocol has room for it', async () => {
    const provider = new Provider();
    const { state } = await start(provider);
    expect(stored.size).toBe(0);
    expect(await receive(provider, { state })).toEqual({
      state: codec.decode(state),
      token: state,
      stateParameter: state,
    });
    expect(await receive(provider, { state }, 'saml')).toBeNull();
    expect(await receive(provider, { state: `${state}x` })).toBeNull();
    expect(await receive(provider, {})).toBeNull();
  });

  it('is stored under a key for its lifetime where it has none, for the account that links', async () => {
    const provider = new Provider({ stateKey: 'RelayState' });
    const { state, authorizationUrl } = await start(provider);
    const key = new URL(authorizationUrl).searchParams.get('state') ?? '';
    expect(key).toMatch(/^[\w-]{43}$/);
    expect([...stored.values()]).toEqual([{ state, userId: null, seconds: 600 }]);
    expect(await receive(provider, { RelayState: key })).toEqual({
      state: codec.decode(state),
      token: state,
      stateParameter: key,
    });
    expect(await receive(provider, { state })).toBeNull();
    expect(await receive(provider, { RelayState: 'another key' })).toBeNull();
    expect(await receive(provider, { RelayState: key }, 'saml')).toBeNull();
    stored.clear();
    await start(provider, {}, caller);
    expect([...stored.values()]).toMatchObject([{ userId: 'user-1' }]);
  });
});

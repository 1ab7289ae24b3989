import { Logger } from '@nestjs/common';
import type { Verdict } from '../../src/external-identity/flow/callback-verification.js';
import { type FlowMetrics, wordOf } from '../../src/external-identity/flow/flow-metrics.js';
import { ReturnService } from '../../src/external-identity/flow/return/return.service.js';
import { ReturnUris } from '../../src/external-identity/flow/return/return-uris.js';
import type { SignInService } from '../../src/external-identity/flow/sign-in.service.js';
import { type FlowState, UnusableState } from '../../src/external-identity/flow/state/state-store.js';
import { SignInError } from '../../src/external-identity/providers/provider.js';
import type { Settings } from '../../src/platform/config/index.js';
import { AppError } from '../../src/platform/errors/index.js';
import type { Client } from '../../src/platform/web/index.js';

const APP = 'https://app.example';
const CLIENT: Client = { ipAddress: '203.0.113.7', userAgent: null, locale: null };

describe('The list of addresses to return to', () => {
  const listOf = (RETURN_URIS: Settings['RETURN_URIS']) =>
    new ReturnUris({ APP_URL: APP, RETURN_URIS } as Settings);
  const returnsTo = (list: Settings['RETURN_URIS'], wanted: string): boolean => {
    try {
      return listOf(list).require(wanted) === wanted;
    } catch (error) {
      expect(error).toMatchObject({ violations: [{ propertyPath: 'returnUri' }] });
      return false;
    }
  };
  const LIST = [`${APP}/in`, 'https://shop.example/a/', /^http:\/\/localhost(:\d+)?$/];

  it('has the address of the app for a flow that names none', () => {
    for (const none of [undefined, null]) expect(listOf([]).require(none)).toBe(APP);
  });

  it.each([
    `${APP}/in`,
    `${APP}/in/deeper`,
    'https://shop.example/a/',
    'https://shop.example/a/b',
    'http://localhost:5173/any/path',
    'http://localhost/',
  ])('has %s', (wanted) => {
    expect(returnsTo(LIST, wanted)).toBe(true);
    expect(returnsTo([], wanted)).toBe(false);
  });

  it.each([
    `${APP}/`,
    `${APP}/inside`,
    `${APP}/other/in/`,
    'https://app.example.evil.example/in',
    'https://evil.example/in',
    'https://evil.example/in/deeper',
    'https://shop.example/a',
    'https://evil.example/a/',
    'https://localhost:5173/',
    'javascript:alert(1)',
    'not an address',
  ])('does not have %s', (wanted) => {
    expect(returnsTo(LIST, wanted)).toBe(false);
  });

  it('may be any plain address, which the log warns of at the start', () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    listOf(LIST).onModuleInit();
    expect(warn).not.toHaveBeenCalled();
    listOf(null).onModuleInit();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('RETURN_URIS=*'));
    warn.mockRestore();
    expect(returnsTo(null, 'https://anywhere.example/in')).toBe(true);
    expect(returnsTo(null, 'javascript:alert(1)')).toBe(false);
  });
});

describe('The browser returns', () => {
  const state = { kind: 'oidc', flowId: 'flow', returnUri: `${APP}/in` } as FlowState;
  const link = { userId: 'user', sessionId: 'session' } as NonNullable<FlowState['link']>;
  const received = (changes: Partial<FlowState> = {}) => ({
    state: { ...state, ...changes },
    token: 'signed',
    stateParameter: 'key',
  });
  const profile = { issuer: 'i', subject: 's', email: null, emailProof: 'none', firstName: null } as const;
  let logged: [level: string, what: Record<string, unknown>][];
  let ended: string[][];
  let refused: string[];
  beforeEach(() => {
    logged = [];
    ended = [];
    refused = [];
    for (const level of ['warn', 'error'] as const)
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation(
          (...[what]: unknown[]) => void logged.push([level, what as Record<string, unknown>]),
        );
  });
  afterEach(() => jest.restoreAllMocks());

  const returnAfter = (verdict: Verdict, finish: SignInService['finish'] = () => Promise.resolve({})) => {
    const metrics = {
      counted: (_: string, work: () => Promise<unknown>) => work(),
      ended: (...of: string[]) => void ended.push(of),
      refused: (reason: string) => void refused.push(reason),
    } as unknown as FlowMetrics;
    return new ReturnService({ finish } as SignInService, metrics, {} as never, {} as never).addressAfter(
      verdict,
      CLIENT,
      'request-1',
    );
  };
  const fragmentOf = (address: string) =>
    Object.fromEntries(new URLSearchParams(new URL(address).hash.slice(1)));

  it('to our own callback by a redirect, which ends no flow', async () => {
    expect(await returnAfter({ location: `${APP}/callback` })).toBe(`${APP}/callback`);
    expect(ended).toEqual([]);
  });

  it('with the outcome and the state', async () => {
    const address = await returnAfter({ received: received(), profile }, (of, who, client) => {
      expect([of, who, client]).toEqual([state, profile, CLIENT]);
      return Promise.resolve({ code: 'code-1' });
    });
    expect(address).toBe(`${APP}/in#code=code-1&state=signed`);
    expect(ended).toEqual([['oidc', 'code_issued']]);
    expect(logged).toEqual([]);
  });

  it.each<[string, unknown, Partial<FlowState>]>([
    ['access_denied', new SignInError('access_denied'), {}],
    ['link_refused', new AppError('unauthenticated'), { link }],
    ['temporarily_unavailable', new AppError('unauthenticated'), {}],
    ['temporarily_unavailable', new AppError('unavailable'), {}],
    ['server_error', new AppError('forbidden'), { link }],
    ['server_error', new TypeError('of ours'), {}],
  ])('with %s', async (reason, error, changes) => {
    const fromStrategy = await returnAfter({ received: received(changes), error });
    const fromEnd = await returnAfter({ received: received(changes), profile }, () =>
      Promise.reject(error as Error),
    );
    expect(fromEnd).toBe(fromStrategy);
    expect(fragmentOf(fromEnd)).toEqual({
      error: reason,
      error_description: expect.stringMatching(/^[A-Z].*\.$/),
      state: 'signed',
    });
    expect(ended).toEqual([
      ['oidc', reason],
      ['oidc', reason],
    ]);
    expect(refused).toEqual([reason, reason]);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toEqual([
      error instanceof SignInError ? 'warn' : 'error',
      expect.objectContaining({ requestId: 'request-1', kind: 'oidc', reason }),
    ]);
  });

  it('not at all after a flow that has ended before', async () => {
    const spent = () => Promise.reject(new UnusableState());
    await expect(returnAfter({ received: received(), profile }, spent)).rejects.toThrow(UnusableState);
    expect([ended, logged]).toEqual([[], []]);
  });

  it.each<[unknown, string]>([
    ['no error', 'none'],
    [new Error('of ada@example.com, and bob@example.com too'), 'Error: of (address) and (address) too'],
    [Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' }), 'TypeError ECONNREFUSED: refused'],
    [Object.assign(new Error('wrong'), { check: 'nonce', code: 'OAUTH' }), 'Error nonce: wrong'],
    [Object.assign(new Error('odd'), { code: 7 }), 'Error: odd'],
    [new Error('x'.repeat(300)), `Error: ${'x'.repeat(200)}`],
  ])('and the log has the cause without addresses: %s', async (cause, said) => {
    await returnAfter({ received: received(), error: new SignInError('invalid_response', cause) });
    expect(logged).toEqual([
      ['warn', { requestId: 'request-1', kind: 'oidc', reason: 'invalid_response', cause: said }],
    ]);
  });

  it.each([
    ['signed_in', { access_token: 'token' }],
    ['code_issued', { code: 'code' }],
    ['link_code_issued', { link_code: 'code' }],
    ['server_error', { error: 'server_error' }],
  ])('and counts as %s', (word, fragment) => {
    expect(wordOf(fragment)).toBe(word);
  });
});

describe('A state that cannot be used', () => {
  it('names the field and has a page', () => {
    expect(new UnusableState()).toMatchObject({
      violations: [{ propertyPath: 'state', message: expect.stringMatching(/Start again\.$/) }],
      page: { title: 'identity.page.unusable.title' },
    });
    expect(new UnusableState('Start here.').violations).toEqual([
      { propertyPath: 'state', message: 'Start here.' },
    ]);
  });
});

/** @service separate */
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { Principal } from '../../src/kernel/index.js';
import type { Settings } from '../../src/platform/config/index.js';
import { Metrics } from '../../src/platform/observability/index.js';
import { LocalBuckets } from '../../src/platform/rate-limit/buckets/local-buckets.js';
import {
  allBuckets,
  SilentBucket,
  StrictBucket,
  strictBuckets,
} from '../../src/platform/rate-limit/buckets/bucket.js';
import { intervalOf, type Sharing, stateOf } from '../../src/platform/rate-limit/buckets/token-buckets.js';
import { LimitMetrics } from '../../src/platform/rate-limit/limit-metrics.js';
import { RateLimits, showBucket } from '../../src/platform/rate-limit/rate-limits.js';
import { StrictLimit, StrictLimitGuard } from '../../src/platform/rate-limit/rate-limits.js';
import { setAuthentication } from '../../src/platform/web/authentication.js';
import { networkOf } from '../../src/platform/web/client/client-ip.js';
import { setClientIp } from '../../src/platform/web/client/client.js';

const NOW = Date.UTC(2026, 10, 24, 8);
const LOGIN = new StrictBucket('login', 'RATE_LOGIN');
const MAILS = new SilentBucket('mails', 'RATE_RESET');
const CODES = new StrictBucket('codes', 'RATE_HASH');

/** The headers of a response, as they are set. */
class Headers {
  readonly shown = new Map<string, string>();

  getHeader(name: string): string | undefined {
    return this.shown.get(name);
  }

  setHeader(name: string, value: string): void {
    this.shown.set(name, value);
  }

  get asResponse(): Response {
    return this as unknown as Response;
  }

  get all(): object {
    return Object.fromEntries(this.shown);
  }
}

const settings = (changes: object = {}) =>
  ({ RATE_READ: 4, RATE_WRITE: 2, RATE_LOGIN: 2, RATE_RESET: 2, RATE_HASH: 5, ...changes }) as Settings;
const principal = { userId: 'ada' } as Principal;
function requestFrom(ipAddress: string, caller?: Principal): Request {
  const request = { headers: {} } as Request;
  setClientIp(request, ipAddress);
  if (caller) setAuthentication(request, { principal: caller });
  return request;
}
/** The counts of `requests_total` that are not 0. */
const countsOf = async (metrics: Metrics) =>
  (await metrics.show())
    .split('\n')
    .filter((line) => line.startsWith('gatehouse_rate_limit_requests_total{') && !line.endsWith(' 0'))
    .map((line) => line.replace('gatehouse_rate_limit_requests_total', ''));

let metrics: Metrics;
let limits: LimitMetrics;
let buckets: LocalBuckets;
beforeEach(() => {
  metrics = new Metrics();
  limits = new LimitMetrics(metrics);
  buckets = new LocalBuckets(() => NOW);
});

const limitsOf = (changes = {}) => new RateLimits(buckets, limits, settings(changes));

describe('The general limit', () => {
  const take = async (request: Request, read: boolean, changes = {}) => {
    const headers = new Headers();
    await limitsOf(changes).requireGeneral(request, headers.asResponse, read);
    return headers.all;
  };

  it('counts reads and writes apart, and shows what is left', async () => {
    const request = requestFrom('203.0.113.7');
    const left = (limit: number, remaining: number) => ({
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String((NOW + 60_000 / limit) / 1_000),
    });
    expect(await take(request, true)).toEqual(left(4, 3));
    expect(await take(request, false)).toEqual(left(2, 1));
    expect(await take(request, true)).toEqual(left(4, 2));
    expect(await take(request, false)).toEqual(left(2, 0));
    await expect(take(request, false)).rejects.toMatchObject({
      code: 'too-many-requests',
      retryAfterSeconds: 30,
    });
    expect(await countsOf(metrics)).toEqual([
      '{bucket="read",outcome="allowed"} 2',
      '{bucket="write",outcome="allowed"} 2',
      '{bucket="write",outcome="refused"} 1',
    ]);
  });

  it('counts a user by identity, and others by their network', async () => {
    const remaining = async (request: Request) => (await take(request, true)) as Record<string, string>;
    const leftFor = async (request: Request) => (await remaining(request))['X-RateLimit-Remaining'];
    expect(await leftFor(requestFrom('2001:db8::1', principal))).toBe('3');
    expect(await leftFor(requestFrom('203.0.113.7', principal))).toBe('2');
    expect(await leftFor(requestFrom('2001:db8::1'))).toBe('3');
    expect(await leftFor(requestFrom('2001:db8::2'))).toBe('2');
    expect(await leftFor(requestFrom('ada'))).toBe('3');
  });

  it('shows a billion while it is off, and counts nothing', async () => {
    const before = Date.now();
    const request = requestFrom('203.0.113.7');
    for (const [read, off] of [
      [true, 'RATE_READ'],
      [false, 'RATE_WRITE'],
    ] as const) {
      const shown = (await take(request, read, { [off]: null })) as Record<string, string>;
      expect(shown).toMatchObject({
        'X-RateLimit-Limit': '1000000000',
        'X-RateLimit-Remaining': '1000000000',
      });
      expect(Number(shown['X-RateLimit-Reset']) - before / 1_000).toBeGreaterThanOrEqual(0);
      expect(Number(shown['X-RateLimit-Reset']) - before / 1_000).toBeLessThan(60);
    }
    expect(buckets.size).toBe(0);
    expect(await countsOf(metrics)).toEqual([]);
  });
});

describe('The headers of a response', () => {
  const state = (remaining: number) => ({ limit: 10 * remaining, remaining, nextTokenAt: 7_001 });

  it('show the bucket with the fewest tokens left', () => {
    const headers = new Headers();
    const limits = [5, 3, 4, 2].map((remaining) => {
      showBucket(headers.asResponse, state(remaining));
      return headers.getHeader('X-RateLimit-Limit');
    });
    expect(limits).toEqual(['50', '30', '30', '20']);
    expect(headers.getHeader('X-RateLimit-Reset')).toBe('8');
  });

  it('keep the first of two that have as many left', () => {
    const headers = new Headers();
    showBucket(headers.asResponse, { ...state(3), limit: 7 });
    showBucket(headers.asResponse, state(3));
    expect(headers.getHeader('X-RateLimit-Limit')).toBe('7');
  });
});

describe('A silent limit', () => {
  const allows = async (ipAddress: string, changes = {}) =>
    !(await limitsOf(changes).take(MAILS, networkOf(ipAddress))).isBlocked;

  it('tells whether the network has a token left', async () => {
    const results = [];
    for (const end of ['1', '2', 'ffff']) results.push(await allows(`2001:db8::${end}`));
    expect(results).toEqual([true, true, false]);
    expect(await allows('2001:db8:0:1::1')).toBe(true);
    expect(await countsOf(metrics)).toEqual([
      '{bucket="mails",outcome="allowed"} 3',
      '{bucket="mails",outcome="refused"} 1',
    ]);
  });

  it('allows everything while it is off', async () => {
    for (let n = 0; n < 3; n += 1) expect(await allows('203.0.113.7', { RATE_RESET: null })).toBe(true);
    expect(buckets.size).toBe(0);
  });
});

describe('A strict limit', () => {
  class Routes {
    @StrictLimit(LOGIN)
    login(): void {}

    @StrictLimit(CODES)
    redeem(): void {}

    read(): void {}
  }
  const routes = new Routes();
  let headers: Headers;
  let guard: StrictLimitGuard;
  beforeEach(async () => {
    guard = await guardOf();
  });
  afterEach(() => jest.restoreAllMocks());

  async function guardOf(changes = {}): Promise<StrictLimitGuard> {
    const options = { throttlers: [{ ttl: 60_000, limit: 0 }] };
    const made = new StrictLimitGuard(options, buckets, new Reflector());
    Object.assign(made, { limits: limitsOf(changes) });
    await made.onModuleInit();
    return made;
  }
  function call(handler: () => void, ipAddress = '203.0.113.7', by = guard): Promise<boolean> {
    headers = new Headers();
    const http = { getRequest: () => requestFrom(ipAddress), getResponse: () => headers.asResponse };
    return by.canActivate({
      getHandler: () => handler,
      getClass: () => Routes,
      switchToHttp: () => http,
    } as unknown as ExecutionContext);
  }

  it('takes a token of the bucket of the route, for the network', async () => {
    expect(await call(routes.login, '2001:db8::1')).toBe(true);
    expect(headers.all).toEqual({
      'X-RateLimit-Limit': '2',
      'X-RateLimit-Remaining': '1',
      'X-RateLimit-Reset': String((NOW + 30_000) / 1_000),
    });
    expect(await call(routes.login, '2001:db8::2')).toBe(true);
    await expect(call(routes.login, '2001:db8::3')).rejects.toMatchObject({
      code: 'too-many-requests',
      retryAfterSeconds: 30,
    });
    expect(headers.getHeader('X-RateLimit-Remaining')).toBe('0');
    expect(await call(routes.redeem, '2001:db8::3')).toBe(true);
    expect(await call(routes.login, '2001:db8:0:1::1')).toBe(true);
    expect(await countsOf(metrics)).toEqual([
      '{bucket="codes",outcome="allowed"} 1',
      '{bucket="login",outcome="allowed"} 3',
      '{bucket="login",outcome="refused"} 1',
    ]);
  });

  it('does not concern a route without one', async () => {
    expect(await call(routes.read)).toBe(true);
    expect([headers.all, buckets.size]).toEqual([{}, 0]);
  });

  it('is off where its setting is', async () => {
    const without = await guardOf({ RATE_LOGIN: null });
    for (let n = 0; n < 3; n += 1) expect(await call(routes.login, '203.0.113.7', without)).toBe(true);
    expect(buckets.size).toBe(0);
  });
});

describe('The buckets of the routes', () => {
  it('are listed by name, each declared once', () => {
    expect(allBuckets().map(({ name }) => name)).toEqual(['codes', 'login', 'mails', 'read', 'write']);
    expect(strictBuckets()).toEqual([CODES, LOGIN]);
    expect([LOGIN.refuses, MAILS.refuses]).toEqual([true, false]);
    expect(() => new SilentBucket('login', 'RATE_RESET')).toThrow(
      'The rate limit bucket login is declared twice.',
    );
  });

  it('have the size of their setting', () => {
    expect(LOGIN.sizeIn(settings())).toBe(2);
    expect(LOGIN.sizeIn(settings({ RATE_LOGIN: null }))).toBeNull();
  });
});

describe('A bucket in memory', () => {
  it('gets a token back', () => {
    for (let n = 0; n < 2; n += 1) buckets.take('ada', 2);
    buckets.giveBack('ada', 2);
    expect(buckets.take('ada', 2)).toMatchObject({ isBlocked: false, remaining: 0 });
    buckets.giveBack('grace', 2);
    expect(buckets.size).toBe(1);
  });

  it('is the storage of the guard', async () => {
    expect(await buckets.increment('ada', 60_000, 2)).toMatchObject({ isBlocked: false, remaining: 1 });
  });

  it('is counted from now by the clock of this process', () => {
    const { nextTokenAt } = new LocalBuckets().take('ada', 60);
    expect(Math.abs(nextTokenAt - 1_000 - Date.now())).toBeLessThan(10_000);
  });
});

describe('The state of a bucket', () => {
  it('tells how many tokens are used, and how long until the next', () => {
    const second = 1_000_000;
    expect(stateOf(true, 6 * second, NOW * 1_000, 10)).toEqual({
      totalHits: 1,
      timeToExpire: 6,
      isBlocked: false,
      timeToBlockExpire: 0,
      limit: 10,
      remaining: 9,
      nextTokenAt: NOW + 6_000,
    });
    expect(stateOf(true, 7.5 * second, NOW * 1_000, 10)).toMatchObject({
      totalHits: 2,
      timeToExpire: 8,
      remaining: 8,
      nextTokenAt: NOW + 1_500,
    });
    expect(stateOf(false, 58.5 * second, NOW * 1_000, 10)).toEqual({
      totalHits: 11,
      timeToExpire: 59,
      isBlocked: true,
      timeToBlockExpire: 5,
      limit: 10,
      remaining: 0,
      nextTokenAt: NOW + 4_500,
    });
  });

  it('is that of a token each microsecond at most', () => {
    expect(intervalOf(7)).toBe(8_571_428);
    expect(intervalOf(1_000_000_000)).toBe(1);
  });
});

describe('The metrics of the limits', () => {
  const linesOf = async (name: string) =>
    (await metrics.show()).split('\n').filter((line) => line.startsWith(`gatehouse_rate_limit_${name}`));

  it('begin at 0 for each bucket', async () => {
    const names = ['codes', 'login', 'mails', 'read', 'write'];
    expect(await linesOf('requests_total')).toEqual(
      names.flatMap((name) =>
        ['allowed', 'refused'].map(
          (outcome) => `gatehouse_rate_limit_requests_total{bucket="${name}",outcome="${outcome}"} 0`,
        ),
      ),
    );
    expect(await linesOf('fallbacks_total')).toEqual(['gatehouse_rate_limit_fallbacks_total 0']);
  });

  it('tell the scope of the limits, and requests that one replica alone has counted', async () => {
    let sharing: Sharing = 'local';
    limits.watch(() => sharing);
    const shown = async () =>
      (await linesOf('sharing')).filter((line) => line.endsWith(' 1')).map((line) => line.split('"')[1]);
    expect(await shown()).toEqual(['local']);
    sharing = 'fallback';
    expect(await shown()).toEqual(['fallback']);
    expect(await linesOf('sharing')).toHaveLength(3);
    limits.countFallback();
    expect(await linesOf('fallbacks_total')).toEqual(['gatehouse_rate_limit_fallbacks_total 1']);
  });
});

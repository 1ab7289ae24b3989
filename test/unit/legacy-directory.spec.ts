import { Logger } from '@nestjs/common';
import { CircuitBreaker } from '../../src/iam/accounts/credentials/legacy/circuit-breaker.js';
import { LegacyQuestions } from '../../src/iam/accounts/credentials/legacy/legacy-questions.js';
import { answerEnd, pauseUntil } from '../../src/iam/accounts/credentials/legacy/legacy-time.js';
import { Metrics } from '../../src/platform/observability/index.js';

describe('The circuit breaker of a legacy directory', () => {
  let now: number;
  let breaker: CircuitBreaker;
  beforeEach(() => {
    now = 1_000;
    breaker = new CircuitBreaker(() => now);
  });
  /** Fails as often as this. @returns whether the last failure opened it */
  const fail = (times: number) => {
    let opened = false;
    for (let n = 0; n < times; n += 1) {
      expect(breaker.tryEnter()).toBe(true);
      opened = breaker.recordFailure();
    }
    return opened;
  };

  it('lets calls through until five in a row have failed', () => {
    expect(fail(4)).toBe(false);
    expect(breaker.tryEnter()).toBe(true);
    breaker.recordSuccess();
    expect(fail(5)).toBe(true);
    expect(breaker.tryEnter()).toBe(false);
    now += 29_999;
    expect(breaker.tryEnter()).toBe(false);
  });

  it('lets one call through after half a minute, and the others once that has succeeded', () => {
    fail(5);
    now += 30_000;
    expect([breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, false]);
    expect(breaker.recordFailure()).toBe(true);
    expect(breaker.tryEnter()).toBe(false);
    now += 30_000;
    expect(breaker.tryEnter()).toBe(true);
    breaker.recordSuccess();
    expect([breaker.tryEnter(), breaker.tryEnter()]).toEqual([true, true]);
  });
});

describe('Questions to a legacy directory', () => {
  /** As Nest starts it with these providers. */
  const started = (...providers: object[]) => startedWith({}, ...providers);
  const startedWith = (mark: object, ...providers: object[]) => {
    const marked = { find: () => providers.map((provider) => ({ mark, provider })) };
    const questions = new LegacyQuestions(marked as never, new Metrics());
    questions.onApplicationBootstrap();
    return questions;
  };
  class Shop {
    verify(email: string): Promise<null> {
      throw new TypeError(`no such row: ${email}`);
    }
  }

  it('stop the start with two directories, and with one that has no method verify', () => {
    expect(() => started(new Shop(), new Shop())).toThrow(
      'There can be one @LegacyDirectory(), and there are Shop, Shop.',
    );
    expect(() => started({})).toThrow(
      '@LegacyDirectory() needs a method verify, which Object does not have.',
    );
    expect(started().isDeclared).toBe(false);
    expect(started(new Shop()).isDeclared).toBe(true);
  });

  it('log what fails without address, password and message', async () => {
    const said: unknown[] = [];
    const log = (...words: unknown[]) => void said.push(words);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(log);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(log);
    const questions = started(new Shop());
    for (let n = 0; n < 6; n += 1)
      expect(await questions.ask('ada@example.com', 'old-harbour-41', answerEnd(3_000))).toBeNull();
    const failed = [{ reason: 'TypeError' }, 'the legacy directory failed'];
    expect(said.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => failed));
    expect(said[5]).toEqual(['the legacy directory is not asked for 30 seconds']);
    expect(said).toHaveLength(6);
    expect(JSON.stringify(said)).not.toMatch(/ada|harbour/);
  });

  it('have three seconds, or the shorter time of the directory', async () => {
    expect(started(new Shop()).maxAnswerMs).toBe(3_000);
    expect(startedWith({ maxAnswerMs: 800 }, new Shop()).maxAnswerMs).toBe(800);
    for (const maxAnswerMs of [99, 3_001, Number.NaN])
      expect(() => startedWith({ maxAnswerMs }, new Shop())).toThrow(
        '@LegacyDirectory() of Shop needs a maxAnswerMs from 100 to 3000.',
      );
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    expect(answerEnd(800)).toBe(1_800);
    await pauseUntil(1_000);
  });

  afterEach(() => jest.restoreAllMocks());
});

import { GcraStore } from '../../src/platform/rate-limit/gcra-store.js';

describe('Token bucket', () => {
  it('gives its size at once and then one token each interval', () => {
    let now = 1_000_000;
    const store = new GcraStore(() => now);
    const take = () => store.take('caller', 60_000, 10);
    const states = Array.from({ length: 12 }, take);
    expect(states.map(({ isBlocked }) => isBlocked)).toEqual([...Array<boolean>(10).fill(false), true, true]);
    expect(states.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(states.at(-1)).toMatchObject({ timeToBlockExpire: 6, nextTokenAt: now + 6_000 });
    now += 5_999;
    expect(take().isBlocked).toBe(true);
    now += 1;
    expect(take().isBlocked).toBe(false);
    expect(take().isBlocked).toBe(true);
    now += 60_000;
    expect(Array.from({ length: 11 }, take).filter(({ isBlocked }) => isBlocked)).toHaveLength(1);
  });

  it('says when the next token becomes free', () => {
    const now = 1_000_000;
    const store = new GcraStore(() => now);
    expect(store.take('caller', 60_000, 10).nextTokenAt).toBe(now + 6_000);
    expect(store.take('caller', 60_000, 10).nextTokenAt).toBe(now + 6_000);
  });

  it('stays bounded under a million distinct callers and forgets those whose bucket is full again', () => {
    let now = 1_000_000;
    const store = new GcraStore(() => now);
    for (let n = 0; n < 1_000_000; n += 1) store.take(`caller ${n}`, 60_000, 100);
    expect(store.size).toBeLessThanOrEqual(200_000);
    now += 120_000;
    store.take('one caller', 60_000, 100);
    expect(store.size).toBe(1);
  });

  it('never forgets a bucket that is still in use', () => {
    let now = 1_000_000;
    const store = new GcraStore(() => now);
    for (let n = 0; n < 10; n += 1) store.take('caller', 60_000, 10);
    let passed = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      for (let second = 0; second < 60; second += 1) {
        now += 1_000;
        if (!store.take('caller', 60_000, 10).isBlocked) passed += 1;
      }
    }
    expect(passed).toBe(100);
  });
});

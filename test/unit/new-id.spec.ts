import { newId, timeOfId } from '../../src/kernel/index.js';

describe('Ids', () => {
  let clock: jest.SpiedFunction<typeof Date.now>;
  const now = Date.now();
  beforeEach(() => {
    clock = jest.spyOn(Date, 'now').mockReturnValue(now);
  });
  afterEach(() => clock.mockRestore());

  const idsAt = (...times: number[]): string[] =>
    times.map((time) => {
      clock.mockReturnValue(time);
      return newId();
    });

  it('sort by creation, also of one millisecond and while the clock goes back by a second', () => {
    const ids = idsAt(now, now, now - 1, now - 1_000, now + 1, now);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('follow a clock that was wrong for a moment', () => {
    const [ahead = '', after = '', next = ''] = idsAt(now + 86_400_000, now, now);
    expect(timeOfId(ahead)).toBe(now + 86_400_000);
    expect(timeOfId(after)).toBe(now);
    expect(next > after).toBe(true);
  });
});

import { ConnectionQueue } from '../../src/platform/database/connection/connection-queue.js';

describe('A queue for ten connections', () => {
  let now: number;
  let queue: ConnectionQueue;
  beforeEach(() => {
    now = 10_000;
    queue = new ConnectionQueue(10, () => now);
    expect(queue.refuses(9, 0)).toBe(false);
  });

  it('accepts a burst of any size', () => {
    now += 999;
    expect(queue.refuses(10, 500)).toBe(false);
  });

  it('refuses new requests after a second without a free connection', () => {
    now += 1_001;
    expect(queue.refuses(10, 10)).toBe(true);
  });

  it('accepts as many as are served next', () => {
    now += 5_000;
    expect(queue.refuses(10, 9)).toBe(false);
  });

  it('keeps refusing if it is empty because all waiting requests gave up', () => {
    now += 5_000;
    expect(queue.refuses(10, 0)).toBe(false);
    expect(queue.refuses(10, 10)).toBe(true);
  });

  it('accepts all while it moves, as each is served within a second', () => {
    for (let served = 0; served < 3_000; served += 1) {
      now += 1;
      queue.served();
    }
    expect(queue.refuses(10, 900)).toBe(false);
    expect(queue.refuses(10, 1_100)).toBe(true);
    now += 2_001;
    expect(queue.refuses(10, 10)).toBe(true);
  });

  it('accepts all again after a connection was free', () => {
    now += 5_000;
    expect(queue.refuses(9, 0)).toBe(false);
    now += 10;
    expect(queue.refuses(10, 50)).toBe(false);
  });
});

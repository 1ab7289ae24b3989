const MIN_SLOTS = 1_024;
/** Share of the slots in use above which they are doubled: fuller ones take long to search. */
const MAX_LOAD = 0.8;

/**
 * Numbers by digest, in 16 bytes for each slot: a Map takes 100 for a key, its number and their
 * place (measured). Stores the first 63 bits of a digest, by which two of 200,000 are the same with
 * a probability of 2 in a thousand million. Open addressing: a digest that is not found in its slot
 * is in one of the following, before a free one.
 */
export class PackedNumbers {
  /** Two words for each slot; the first is 0 in a free slot only. */
  private digests = new Uint32Array(2 * MIN_SLOTS);
  private numbers = new Float64Array(MIN_SLOTS);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** @param digest eight characters or more, each a random byte */
  get(digest: string): number | undefined {
    const slot = this.find(firstWordOf(digest), wordAt(digest, 4));
    return this.digests[2 * slot] === 0 ? undefined : this.numbers[slot];
  }

  /** @param digest as of {@link get} */
  set(digest: string, number: number): void {
    if (this.count >= MAX_LOAD * this.numbers.length) this.grow();
    this.put(firstWordOf(digest), wordAt(digest, 4), number);
  }

  private put(first: number, second: number, number: number): void {
    const slot = this.find(first, second);
    if (this.digests[2 * slot] === 0) this.count += 1;
    this.digests[2 * slot] = first;
    this.digests[2 * slot + 1] = second;
    this.numbers[slot] = number;
  }

  /** Returns the slot of a digest, or the free one for it. */
  private find(first: number, second: number): number {
    const last = this.numbers.length - 1;
    let slot = second & last;
    for (let taken = this.digests[2 * slot]; taken !== 0; taken = this.digests[2 * slot]) {
      if (taken === first && this.digests[2 * slot + 1] === second) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  private grow(): void {
    const { digests, numbers } = this;
    this.digests = new Uint32Array(2 * digests.length);
    this.numbers = new Float64Array(2 * numbers.length);
    this.count = 0;
    numbers.forEach((number, slot) => {
      const first = digests[2 * slot] ?? 0;
      if (first !== 0) this.put(first, digests[2 * slot + 1] ?? 0, number);
    });
  }
}

/** Returns 31 bits of a digest, and 1, so that it is never 0. */
const firstWordOf = (digest: string): number => (wordAt(digest, 0) | 1) >>> 0;

const wordAt = (digest: string, at: number): number =>
  (digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)) >>>
  0;

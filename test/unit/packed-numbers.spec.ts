/** @service separate */
import { hash } from 'node:crypto';
import { PackedNumbers } from '../../src/platform/memory/index.js';

const digestOf = (key: string): string => hash('sha256', key, 'latin1');
/** A digest of two words; the second chooses its slot. */
const digestWith = (first: number, second: number): string => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(first, 0);
  bytes.writeUInt32LE(second, 4);
  return bytes.toString('latin1');
};
/** Bytes of the arrays of a table. */
const bytesOf = (table: PackedNumbers): number =>
  Object.values(table).reduce(
    (sum: number, part) => (ArrayBuffer.isView(part) ? sum + part.byteLength : sum),
    0,
  );

describe('Packed numbers', () => {
  let table: PackedNumbers;
  beforeEach(() => {
    table = new PackedNumbers();
  });

  it('finds each of 100,000 in at most 21 bytes, and no other', () => {
    for (let n = 0; n < 100_000; n += 1) table.set(digestOf(`caller ${n}`), n + 0.5);
    expect(table.size).toBe(100_000);
    expect(bytesOf(table)).toBeLessThanOrEqual(2_100_000);
    for (let n = 0; n < 100_000; n += 1)
      if (table.get(digestOf(`caller ${n}`)) !== n + 0.5) throw new Error(`caller ${n} is not found`);
    for (let n = 100_000; n < 110_000; n += 1) expect(table.get(digestOf(`caller ${n}`))).toBeUndefined();
  });

  it('replaces the number of a digest', () => {
    table.set(digestOf('ada'), 1);
    table.set(digestOf('ada'), 2);
    expect([table.get(digestOf('ada')), table.size]).toEqual([2, 1]);
  });

  it.each([0, 1_023])('tells digests apart that have the same slot, %i', (slot) => {
    const digests = [
      digestWith(3, slot),
      digestWith(5, slot),
      digestWith(3, slot + 1_024),
      digestWith(0, slot),
    ];
    digests.forEach((digest, n) => table.set(digest, n));
    expect(digests.map((digest) => table.get(digest))).toEqual([0, 1, 2, 3]);
    expect(table.get(digestWith(7, slot))).toBeUndefined();
    expect(table.size).toBe(4);
  });

  it('has all numbers after it has grown', () => {
    const digests = Array.from({ length: 5_000 }, (_, n) => digestWith(2 * n + 1, n % 7));
    digests.forEach((digest, n) => table.set(digest, n));
    expect(digests.every((digest, n) => table.get(digest) === n)).toBe(true);
  });
});

import { hash } from 'node:crypto';

/**
 * Bytes that are kept of each hash. A password that is not on a list of a million is taken for one
 * of it with a probability of 1 to 280 million.
 */
const ENTRY_BYTES = 6;

/** Returns the form by which passwords are compared: Unicode NFC, in lower case. */
export const foldPassword = (password: string): string => password.normalize('NFC').toLowerCase();

/** A set of passwords in little memory: the beginnings of their hashes, in order. */
export class PasswordList {
  private readonly bytes: Buffer;

  /** @param bytes as {@link toBytes} returns them */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  static of(passwords: Iterable<string>): PasswordList {
    const entries = Float64Array.from(new Set(Array.from(passwords, entryOf))).sort();
    const bytes = Buffer.alloc(entries.length * ENTRY_BYTES);
    entries.forEach((entry, n) => bytes.writeUIntBE(entry, n * ENTRY_BYTES, ENTRY_BYTES));
    return new PasswordList(bytes);
  }

  /** Number of different passwords. */
  get size(): number {
    return this.bytes.length / ENTRY_BYTES;
  }

  /** Returns the stored form: a file of the repository. */
  toBytes(): Buffer {
    return this.bytes;
  }

  has(password: string): boolean {
    const wanted = entryOf(password);
    let from = 0;
    let to = this.size;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const entry = this.bytes.readUIntBE(middle * ENTRY_BYTES, ENTRY_BYTES);
      if (entry === wanted) return true;
      if (entry < wanted) from = middle + 1;
      else to = middle;
    }
    return false;
  }
}

const entryOf = (password: string): number =>
  hash('sha256', foldPassword(password), 'buffer').readUIntBE(0, ENTRY_BYTES);

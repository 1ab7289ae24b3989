import { isDeepStrictEqual } from 'node:util';
import { isComplex } from './attributes.js';
import { ScimError } from './scim-error.js';

/** Comparisons of the operations of one request: they hold up all other requests of the replica. */
const MAX_COMPARISONS = 5_000_000;

/** Counts the comparisons of the operations of a PATCH. */
export class Work {
  private left = MAX_COMPARISONS;

  /** @throws {ScimError} tooMany */
  spend(comparisons: number): void {
    this.left -= comparisons;
    if (this.left < 0)
      throw new ScimError(400, 'tooMany', 'The operations compare too many values. Send fewer at once.');
  }
}

/**
 * Elements of a multi-valued attribute, found by their value: comparing each with each would take
 * minutes for a group of 20,000 members.
 */
export class Elements {
  readonly list: unknown[];
  private readonly isOfMembers: boolean;
  /** Positions of elements, ascending, by {@link keyOf}. */
  private readonly positions = new Map<unknown, number[]>();

  constructor(
    name: string,
    list: readonly unknown[],
    private readonly work: Work,
  ) {
    this.list = [...list];
    this.isOfMembers = name === 'members';
    work.spend(list.length);
    this.list.forEach((element, at) => this.note(element, at));
  }

  /** Returns the position of the first element that is the same; -1 if there is none. */
  find(wanted: unknown): number {
    const positions = this.positions.get(keyOf(wanted)) ?? [];
    const n = positions.findIndex((at) => this.isSame(this.list[at], wanted));
    this.work.spend(n < 0 ? positions.length + 1 : n + 1);
    return positions[n] ?? -1;
  }

  push(element: unknown): void {
    this.note(element, this.list.push(element) - 1);
  }

  private note(element: unknown, at: number): void {
    const key = keyOf(element);
    const positions = this.positions.get(key);
    if (positions) positions.push(at);
    else this.positions.set(key, [at]);
  }

  /** Elements are the same if their values are, and their types unless one has none. */
  private isSame(one: unknown, other: unknown): boolean {
    if (!isComplex(one) || !isComplex(other)) return isDeepStrictEqual(one, other);
    if (one['value'] === undefined || other['value'] === undefined) return isDeepStrictEqual(one, other);
    if (one['value'] !== other['value']) return false;
    const [type, otherType] = [one['type'], other['type']];
    return this.isOfMembers || type === undefined || otherType === undefined || type === otherType;
  }
}

/** Returns the same key for elements that are the same: the value, or the text of what has none. */
function keyOf(element: unknown): unknown {
  if (isComplex(element) && element['value'] !== undefined) return element['value'];
  return typeof element === 'object' ? JSON.stringify(sorted(element)) : element;
}

/** Returns a copy whose keys are in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isComplex(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

import { isDeepStrictEqual } from 'node:util';
import { isComplex } from './attributes.js';
import { ScimError } from './scim-error.js';

/**
 * Comparisons of the operations of one request. They block the event loop for 0.1 s with operations
 * that are chosen for it (`npm run bench -- bystander`).
 */
const MAX_COMPARISONS = 2_500_000;
/** Characters of JSON whose copy costs as much as a comparison, with the memory that it takes. */
const CHARS_PER_COMPARISON = 4;
/** Comparisons that cost as much as one attribute that is copied or looked through. */
export const COMPARISONS_PER_KEY = 10;

/** Counts the comparisons of the operations of a PATCH. */
export class Work {
  private left = MAX_COMPARISONS;

  /** @throws {ScimError} tooMany */
  spend(comparisons: number): void {
    this.left -= comparisons;
    if (this.left < 0)
      throw new ScimError(400, 'tooMany', 'The operations compare too many values. Send fewer at once.');
  }

  /**
   * Counts copies of a value: one of a megabyte, in each of many elements, would fill the memory.
   * @throws {ScimError} tooMany
   */
  spendCopies(value: unknown, copies: number): void {
    this.spend(copies * sizeOf(JSON.stringify(value) ?? ''));
  }
}

/** Returns what a pass over a text costs, in comparisons. */
export const sizeOf = (text: string): number => 1 + Math.floor(text.length / CHARS_PER_COMPARISON);

/**
 * Elements of a multi-valued attribute, found by their value: comparing each with each would take
 * minutes for a group of 20,000 members.
 */
export class Elements {
  readonly list: unknown[];
  private readonly isOfMembers: boolean;
  /** Positions of elements, ascending, by {@link keyOf}. */
  private readonly positions = new Map<unknown, number[]>();

  /** @param wanted elements to find, so that the others need no index */
  constructor(
    name: string,
    list: readonly unknown[],
    private readonly work: Work,
    wanted?: readonly unknown[],
  ) {
    this.list = [...list];
    this.isOfMembers = name === 'members';
    work.spend(list.length);
    const keys = wanted && new Set(wanted.map((one) => this.keyOf(one)));
    this.list.forEach((element, at) => {
      const key = this.keyOf(element);
      if (!keys || keys.has(key)) this.note(key, at);
    });
  }

  /** Returns the position of the first element that is the same; -1 if there is none. */
  find(wanted: unknown): number {
    const positions = this.positions.get(this.keyOf(wanted)) ?? [];
    const n = positions.findIndex((at) => this.isSame(this.list[at], wanted));
    this.work.spend(n < 0 ? positions.length + 1 : n + 1);
    return positions[n] ?? -1;
  }

  push(element: unknown): void {
    this.note(this.keyOf(element), this.list.push(element) - 1);
  }

  /** Adds the attributes of an element to the one at a position. */
  merge(at: number, element: object): void {
    const found = this.list[at] as object;
    this.work.spend(COMPARISONS_PER_KEY * Object.keys(found).length);
    this.list[at] = { ...found, ...element };
  }

  private note(key: unknown, at: number): void {
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

  /** Returns the same key for the same elements: the value, or the text of what has none. */
  private keyOf(element: unknown): unknown {
    if (isComplex(element) && element['value'] !== undefined) return element['value'];
    if (typeof element !== 'object') return element;
    const text = JSON.stringify(sorted(element));
    this.work.spend(sizeOf(text));
    return text;
  }
}

/** Returns a copy whose keys are in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isComplex(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, sorted(part)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

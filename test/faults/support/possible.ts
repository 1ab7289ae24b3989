/**
 * Set of the values that the service may hold, as far as a client knows. An acknowledged write
 * leaves one value; an unanswered one may or may not have happened, so that earlier values stay
 * possible.
 */
export class Possible<T> {
  private readonly values: Set<T>;

  constructor(value: T) {
    this.values = new Set([value]);
  }

  /** Records a value that was acknowledged or read. */
  settle(value: T): void {
    this.values.clear();
    this.values.add(value);
  }

  /** Records a write that was not answered. */
  maybe(value: T): void {
    this.values.add(value);
  }

  allows(value: T): boolean {
    return this.values.has(value);
  }

  get certain(): boolean {
    return this.values.size === 1;
  }

  /** Value if every write has happened. */
  get latest(): T {
    return [...this.values].at(-1) as T;
  }

  /** All possible values, the oldest first. */
  get all(): readonly T[] {
    return [...this.values];
  }
}

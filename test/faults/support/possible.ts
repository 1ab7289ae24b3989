/**
 * What a value in the service may be, as far as a client knows. An acknowledged write leaves one value; one that was never answered may or may
 * not have happened, so that the values before it stay possible too.
 */
export class Possible<T> {
  private readonly values: Set<T>;

  constructor(value: T) {
    this.values = new Set([value]);
  }

  /** The value was acknowledged, or seen. */
  settle(value: T): void {
    this.values.clear();
    this.values.add(value);
  }

  /** Nobody answered whether the value was written. */
  maybe(value: T): void {
    this.values.add(value);
  }

  allows(value: T): boolean {
    return this.values.has(value);
  }

  get certain(): boolean {
    return this.values.size === 1;
  }

  /** The value that would be if every write had happened. */
  get latest(): T {
    return [...this.values].at(-1) as T;
  }

  /** All of them, the oldest first. */
  get all(): readonly T[] {
    return [...this.values];
  }
}

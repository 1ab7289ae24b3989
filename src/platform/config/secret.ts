import { inspect } from 'node:util';

/** A value that must not be printed by accident: every way of showing it says "[redacted]". */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself. Call it where it is used and keep no copy. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}

import { inspect } from 'node:util';

/** Value that must not be printed: every conversion to text or JSON returns "[redacted]". */
export class Secret<T> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** Returns the value. Call it where the value is used, and keep no copy. */
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

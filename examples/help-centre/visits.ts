import { randomBytes } from 'node:crypto';
import type { Question } from './site.ts';

/**
 * Server-side data per browser. The browser has only a random id in a cookie.
 * In memory for this example; several servers need a shared store.
 */
export class Visits<T> {
  readonly #kept = new Map<string, { readonly visit: T; readonly until: number }>();
  readonly #cookie: string;
  readonly #attributes: string;
  readonly #seconds: number;

  constructor(own: URL, name: string, seconds: number) {
    const secure = own.protocol === 'https:';
    // The prefix limits the cookie to this host. It requires https, which development lacks.
    this.#cookie = secure ? `__Host-${name}` : name;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    this.#seconds = seconds;
  }

  find({ cookies }: Question): T | undefined {
    const entry = this.#kept.get(cookies.get(this.#cookie) ?? '');
    return entry && entry.until > Date.now() ? entry.visit : undefined;
  }

  /**
   * @returns the cookie, with a new id, so that an id planted in the browser is useless (session
   * fixation)
   */
  start(question: Question, visit: T): string {
    this.end(question);
    for (const [id, { until }] of this.#kept) if (until <= Date.now()) this.#kept.delete(id);
    const id = randomBytes(32).toString('base64url');
    this.#kept.set(id, { visit, until: Date.now() + this.#seconds * 1000 });
    return `${this.#cookie}=${id}; ${this.#attributes}`;
  }

  /** @returns the cookie that removes the id */
  end({ cookies }: Question): string {
    this.#kept.delete(cookies.get(this.#cookie) ?? '');
    return `${this.#cookie}=; Max-Age=0; ${this.#attributes}`;
  }
}

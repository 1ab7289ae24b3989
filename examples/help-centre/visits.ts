import { randomBytes } from 'node:crypto';
import type { Question } from './site.ts';

/**
 * What is kept on the server for one browser. The browser has a random name for it in a cookie, and nothing else.
 * In memory, for the example; with several servers it belongs where all of them see it.
 */
export class Visits<T> {
  readonly #kept = new Map<string, { readonly visit: T; readonly until: number }>();
  readonly #cookie: string;
  readonly #attributes: string;
  readonly #seconds: number;

  constructor(own: URL, name: string, seconds: number) {
    const secure = own.protocol === 'https:';
    // Without a Domain, it is for this host alone, and the prefix has the browser insist on that. It asks for https, which a laptop has not.
    this.#cookie = secure ? `__Host-${name}` : name;
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
    this.#seconds = seconds;
  }

  find({ cookies }: Question): T | undefined {
    const entry = this.#kept.get(cookies.get(this.#cookie) ?? '');
    return entry && entry.until > Date.now() ? entry.visit : undefined;
  }

  /** Answers the cookie. Its name is new each time: one that was planted in the browser before is worth nothing. */
  start(question: Question, visit: T): string {
    this.end(question);
    for (const [id, { until }] of this.#kept) if (until <= Date.now()) this.#kept.delete(id);
    const id = randomBytes(32).toString('base64url');
    this.#kept.set(id, { visit, until: Date.now() + this.#seconds * 1000 });
    return `${this.#cookie}=${id}; ${this.#attributes}`;
  }

  /** Answers what takes the cookie away again. */
  end({ cookies }: Question): string {
    this.#kept.delete(cookies.get(this.#cookie) ?? '');
    return `${this.#cookie}=; Max-Age=0; ${this.#attributes}`;
  }
}

import type { DenialCode, Gatehouse, Scope, Verdict } from '@gatehouse/client';
import type { SessionStore } from './session-store.js';

/** Answer of a permission check. It is advisory: the service decides again. */
export interface Permission {
  /** `failed`: the service did not answer. */
  readonly status: 'loading' | 'decided' | 'failed';
  /** False unless the service allows it: also while loading, after a failure, and signed out. */
  readonly allowed: boolean;
  /** Code of a denial. */
  readonly code: DenialCode | null;
  /** Reason of a denial, as a sentence for a tooltip. */
  readonly reason: string | null;
  /** Error of a failure. */
  readonly error: unknown;
}

interface Entry {
  readonly subject: string | null;
  readonly scope: Scope;
  readonly listeners: Set<() => void>;
  permission: Permission;
  /** Number of the last request: answers of earlier ones are ignored. */
  request: number;
  /** Time of the last request, in milliseconds of `Date.now()`; 0 asks again. */
  askedAt: number;
}

const NOT_ALLOWED = { allowed: false, code: null, reason: null, error: null } as const;
export const UNKNOWN: Permission = { ...NOT_ALLOWED, status: 'loading' };
const DENIED: Permission = { ...NOT_ALLOWED, status: 'decided' };

/** Age from which a component that mounts asks again; it shows the old answer until then. */
const MAX_AGE_MS = 60_000;

/**
 * Permissions in the session and tenant of a client. Checks of components that mount within one
 * tick share one request for each subject, by `Gatehouse.can`. Answers are cached until session or
 * tenant change.
 */
export class PermissionStore {
  readonly #client: Gatehouse;
  readonly #session: SessionStore;
  readonly #entries = new Map<string, Entry>();
  /** Session and tenant of the answers. */
  #context = '';

  constructor(client: Gatehouse, session: SessionStore) {
    this.#client = client;
    this.#session = session;
    session.subscribe(() => this.#follow());
  }

  get(subject: string | null, scope: Scope): Permission {
    const { status } = this.#session.get();
    if (status !== 'signed-in') return status === 'loading' ? UNKNOWN : DENIED;
    return this.#entries.get(keyOf(subject, scope))?.permission ?? UNKNOWN;
  }

  /**
   * Adds a component that shows a permission, and requests it unless the answer is cached.
   * @returns a function that removes the component
   */
  subscribe(subject: string | null, scope: Scope, listener: () => void): () => void {
    const entry = this.#entries.get(keyOf(subject, scope)) ?? this.#add(subject, scope);
    entry.listeners.add(listener);
    if (isOld(entry)) this.#ask(entry);
    return () => entry.listeners.delete(listener);
  }

  /** Requests the permissions again that components show, and keeps the answers until then. */
  readonly refresh = (): void => {
    for (const entry of this.#entries.values()) entry.askedAt = 0;
    this.#askForOld();
  };

  /** Drops the answers for another session or tenant. */
  #follow(): void {
    const { sessionId, tenantId } = this.#session.get();
    const context = `${sessionId} ${tenantId}`;
    if (context !== this.#context)
      for (const entry of this.#entries.values()) {
        entry.request += 1;
        entry.askedAt = 0;
        settle(entry, UNKNOWN);
      }
    this.#context = context;
    // After React has rendered, which removes components about subjects of the tenant before.
    setTimeout(() => this.#askForOld());
  }

  #askForOld(): void {
    for (const [key, entry] of this.#entries)
      if (isOld(entry)) {
        if (entry.listeners.size > 0) this.#ask(entry);
        else this.#entries.delete(key);
      }
  }

  #add(subject: string | null, scope: Scope): Entry {
    for (const [key, entry] of this.#entries)
      if (entry.listeners.size === 0 && isOld(entry)) this.#entries.delete(key);
    const entry = {
      subject,
      scope,
      listeners: new Set<() => void>(),
      permission: UNKNOWN,
      request: 0,
      askedAt: 0,
    };
    this.#entries.set(keyOf(subject, scope), entry);
    return entry;
  }

  #ask(entry: Entry): void {
    if (this.#session.get().status !== 'signed-in') return;
    const request = (entry.request += 1);
    entry.askedAt = Date.now();
    this.#client.can(entry.subject, [entry.scope]).then(
      ({ [entry.scope]: verdict }) => {
        if (request === entry.request) settle(entry, verdict ? permissionOf(verdict) : DENIED);
      },
      (error: unknown) => {
        if (request !== entry.request) return;
        entry.askedAt = 0;
        settle(entry, { ...NOT_ALLOWED, status: 'failed', error });
      },
    );
  }
}

const keyOf = (subject: string | null, scope: Scope): string => `${scope} ${subject ?? ''}`;

const isOld = ({ askedAt }: Entry): boolean => Date.now() - askedAt > MAX_AGE_MS;

const permissionOf = (verdict: Verdict): Permission => ({ ...DENIED, ...verdict });

function settle(entry: Entry, permission: Permission): void {
  entry.permission = permission;
  for (const listener of entry.listeners) listener();
}

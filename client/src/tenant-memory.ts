import type { TabContext, TokenStorage } from './storage.js';

/** Storage of a tab's tenant, for instance `sessionStorage`. */
export type TenantStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A remembered tenant, which is valid for this session only. */
interface RememberedTenant {
  readonly sessionId: string;
  readonly tenantId: string;
}

/**
 * Remembers the tenant of a tab over reloads. Errors of the storage are ignored: where a browser
 * blocks it, the tab begins without a tenant.
 */
export class TenantMemory {
  readonly #key: string;
  readonly #storage: TenantStorage | null;

  /**
   * @param storage null remembers nothing; by default the tab's, if the session outlives a
   *   page as well
   */
  constructor(session: TokenStorage, storage: TenantStorage | null = findTabStorage(session)) {
    this.#key = `gatehouse.tenant.${session.name ?? ''}`;
    this.#storage = storage;
  }

  read(): RememberedTenant | null {
    try {
      const found: unknown = JSON.parse(this.#storage?.getItem(this.#key) ?? 'null');
      const { sessionId, tenantId } = (found ?? {}) as Partial<RememberedTenant>;
      return typeof sessionId === 'string' && typeof tenantId === 'string' ? { sessionId, tenantId } : null;
    } catch {
      return null;
    }
  }

  /** Remembers the tenant if the tab has a session and a tenant, and otherwise removes it. */
  write({ sessionId, tenantId }: TabContext): void {
    try {
      if (sessionId === null || tenantId === null) this.#storage?.removeItem(this.#key);
      else this.#storage?.setItem(this.#key, JSON.stringify({ sessionId, tenantId }));
    } catch {
      // blocked or full
    }
  }
}

/** Node.js also has a `sessionStorage`, which all users of the process would share. */
function findTabStorage({ name }: TokenStorage): TenantStorage | null {
  if (name === undefined || typeof document === 'undefined') return null;
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

import { Client, type ClientConfig } from 'pg';
import { isReadOnly } from '../../errors/index.js';

/**
 * Connection that closes itself when a response is overdue (`query_timeout`). The driver alone
 * would return it to the pool, and the next query would wait behind the unanswered one: for 15
 * minutes on a network that drops packets. It also closes itself when its server takes no writes.
 */
export class ImpatientClient extends Client {
  /**
   * Adds an error listener, because an error without a listener ends the process, and a connection
   * can break while the pool has none on it. The next query on it fails, and the pool removes it.
   */
  constructor(config?: string | ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }

  override query(...query: never[]): never {
    const result: unknown = super.query(...(query as unknown as [string]));
    if (result instanceof Promise)
      result.catch((error: unknown) => {
        if ((error instanceof Error && error.message === 'Query read timeout') || isReadOnly(error))
          this.end().catch(() => undefined);
      });
    return result as never;
  }
}

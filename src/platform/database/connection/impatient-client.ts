import { Client, type ClientConfig } from 'pg';
import { isReadOnly } from '../../errors/index.js';

/** Function of the server that waits for synchronous standbys; its messages are translated. */
const REPLICATION_WAIT = 'SyncRepWaitForLSN';

/** Event of a connection whose server has refused a write as it takes none. */
export const READ_ONLY = 'readOnly';

/**
 * Time by which the server cancels a commit earlier than this connection gives up: a timer may fire
 * a millisecond early, and a server that goes on in that millisecond would commit what was refused.
 */
const MARGIN_MS = 50;

/**
 * A commit whose wait for the synchronous standbys was cancelled. The server reports success, with
 * a warning, but a promotion may lose it. The code makes it a 503.
 */
class NotReplicated extends Error {
  override readonly name = 'NotReplicated';
  readonly code = '40003'; // statement_completion_unknown

  constructor() {
    super('The wait for the synchronous standbys was cancelled.');
  }
}

/**
 * Connection that closes itself when a response is overdue (`query_timeout`). The driver alone
 * would return it to the pool, and the next query would wait behind the unanswered one: for 15
 * minutes on a network that drops packets. It also closes itself when its server takes no writes.
 *
 * A server that hangs may execute later what it received: a transaction is not committed after the
 * time at which its caller was told that it failed (ADR 51). Nor is a commit reported that its
 * standbys may not have.
 */
export class ImpatientClient extends Client {
  private readonly patienceMs: number;
  /** When the start of the open transaction was answered, by `performance.now()`. */
  private begunAt: number | undefined;
  private isReplicated = true;

  /**
   * Adds an error listener, because an error without a listener ends the process, and a connection
   * can break while the pool has none on it. The next query on it fails, and the pool removes it.
   */
  constructor(config?: string | ClientConfig) {
    super(config);
    this.patienceMs = Number(typeof config === 'object' ? (config.query_timeout ?? 0) : 0);
    this.on('error', () => undefined);
    this.on('notice', ({ routine }) => {
      if (routine === REPLICATION_WAIT) this.isReplicated = false;
    });
  }

  override query(...query: never[]): never {
    const [text, ...rest] = query as unknown as [string];
    const result: unknown = super.query(text === 'COMMIT' ? this.commitInTime() : text, ...rest);
    if (!(result instanceof Promise)) return result as never;
    return result.then(
      (value: unknown) => {
        if (!this.isReplicated) {
          this.isReplicated = true;
          throw new NotReplicated();
        }
        if (text === 'START TRANSACTION') this.begunAt = performance.now();
        return value;
      },
      (error: unknown) => {
        const refused = isReadOnly(error);
        if (refused || (error instanceof Error && error.message === 'Query read timeout'))
          this.end().catch(() => undefined);
        if (refused) this.emit(READ_ONLY);
        throw error;
      },
    ) as never;
  }

  /**
   * Returns a commit that the server cancels if it comes to it later than this connection waits. It
   * compares durations: the clocks of the two need not agree.
   */
  private commitInTime(): string {
    if (this.begunAt === undefined || this.patienceMs === 0) return 'COMMIT';
    const lastsMs = Math.ceil(performance.now() - this.begunAt + this.patienceMs - MARGIN_MS);
    return `SELECT pg_cancel_backend(pg_backend_pid()) WHERE clock_timestamp() > now() + interval '${lastsMs} ms'; COMMIT`;
  }
}

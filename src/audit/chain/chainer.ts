import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { describeCause } from '../../platform/errors/index.js';
import { WakingLoop } from '../../platform/events/index.js';
import {
  type ChainCursor,
  type ChainEnd,
  ChainRepository,
  type NewEntry,
  type WaitingEvent,
} from './chain.repository.js';
import { hashOfEntry, NO_HASH } from './entry-hash.js';

/** Events appended in one transaction. */
const BATCH = 1_000;
/** Interval at which events are looked for: commands do not wake the chainer. */
const POLL_MS = 2_000;

/**
 * Appends the events of the audit trail to the chains of their organizations, in the order in which
 * they become visible (ADR 59). One replica at a time.
 */
@Injectable()
export class Chainer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly loop = new WakingLoop(
    async () => ((await this.append()) ? 0 : POLL_MS),
    (error) =>
      this.logger.warn({ cause: describeCause(error) }, 'The audit trail is not chained: it is tried again.'),
    POLL_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly repository: ChainRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Appends one batch. @returns whether more may wait that can be appended at once */
  async append(): Promise<boolean> {
    if (!(await this.repository.hasWaiting())) return false;
    return this.database.transaction(async () => {
      if (!(await this.repository.tryLockForUpdate())) return false;
      const cursor = await this.repository.readCursor();
      const events = await this.repository.listWaiting(cursor, BATCH);
      const last = events.at(-1);
      if (!last) return this.leaveForeignCluster(cursor);
      await this.chain(events);
      await this.repository.moveCursor(last.xid, last.id);
      return events.length === BATCH || cursor.isForeign;
    });
  }

  private async chain(events: readonly WaitingEvent[]): Promise<void> {
    const waiting = events.filter(({ isChained }) => !isChained);
    const tenantIds = new Set(waiting.flatMap(({ tenantId }) => tenantId ?? []));
    const ends = new Map<TenantId, ChainEnd>();
    for (const tenantId of tenantIds) ends.set(tenantId, { tenantId, last: 0, hash: NO_HASH });
    for (const end of await this.repository.findEnds([...tenantIds])) ends.set(end.tenantId, end);
    const entries: NewEntry[] = [];
    for (const { id, tenantId, detailsHash, record } of waiting) {
      const end = tenantId === null ? undefined : ends.get(tenantId);
      if (!end) continue;
      const sequence = end.last + 1;
      const hash = hashOfEntry(end.hash, { sequence, detailsHash, record });
      entries.push({ tenantId: end.tenantId, sequence, eventId: id, detailsHash, hash });
      ends.set(end.tenantId, { tenantId: end.tenantId, last: sequence, hash });
    }
    if (entries.length > 0) await this.repository.append(entries, [...ends.values()]);
  }

  /**
   * Begins again, after every event of the cluster from which the database was restored has its
   * place: transactions count from lower numbers here, and what is chained already is skipped.
   */
  private async leaveForeignCluster({ isForeign }: ChainCursor): Promise<boolean> {
    if (isForeign) await this.repository.moveCursor('0', '');
    return isForeign;
  }
}

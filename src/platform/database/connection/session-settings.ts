import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../config/index.js';
import { Database } from '../database.js';
import { DATABASE_TIMEOUTS, type DatabaseTimeouts } from '../timeouts.js';

/** Parameters of a connection that bound what it waits for, in milliseconds. */
const boundsOf = ({ statementMs, lockMs }: DatabaseTimeouts) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: 10_000,
});

/**
 * Has the planner prefer any index to a scan of a table. The plan of a prepared statement is kept:
 * one of an empty table, as after the installation or at the start of a monthly partition, would
 * scan the growing table until it is analyzed. Releases before PostgreSQL 18 give a scan that has
 * no index a cost at which they would also compile the statement.
 */
const PLANNING = '-c enable_seqscan=off -c jit=off';

/**
 * Startup parameters of a connection. Poolers reject them: clients share their connections, and
 * prepare no statements.
 */
export function sessionSettings(
  settings: Settings,
  timeouts: DatabaseTimeouts,
): Partial<ReturnType<typeof boundsOf>> & { options?: string } {
  return settings.DATABASE_DIRECT_URL ? {} : { ...boundsOf(timeouts), options: PLANNING };
}

/** Warns at start of timeouts that are not set in the configuration of the pooler. */
@Injectable()
export class SessionTimeouts implements OnApplicationBootstrap {
  private readonly logger = new Logger('Database');

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.DATABASE_DIRECT_URL) return;
    const unset = await this.database.rows<{ name: string }>(
      "SELECT name FROM pg_settings WHERE name = ANY($1) AND setting = '0' ORDER BY name",
      [Object.keys(boundsOf(DATABASE_TIMEOUTS))],
    );
    if (unset.length === 0) return;
    const names = unset.map(({ name }) => name).join(', ');
    this.logger.warn(`The pooler's connections have no ${names}: docs/replicas.md says how it sets them.`);
  }
}

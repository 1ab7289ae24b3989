import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { Database } from './database.js';

/** No statement of a request runs longer; row locks are waited for less. Milliseconds. */
const TIMEOUTS = {
  statement_timeout: 1_700,
  lock_timeout: 1_500,
  idle_in_transaction_session_timeout: 10_000,
};

/** What a connection asks for when it is made. A pooler takes no such wishes, as its connections to the server serve others too. */
export function sessionTimeouts(settings: Settings): Partial<typeof TIMEOUTS> {
  return settings.DATABASE_DIRECT_URL ? {} : TIMEOUTS;
}

/** Behind a pooler the timeouts are its configuration's; says at the start which ones nobody has set. */
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
      [Object.keys(TIMEOUTS)],
    );
    if (unset.length === 0) return;
    const names = unset.map(({ name }) => name).join(', ');
    this.logger.warn(`The pooler's connections have no ${names}: docs/operating.md says how it sets them.`);
  }
}

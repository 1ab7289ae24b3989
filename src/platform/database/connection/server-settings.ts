import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../config/index.js';
import { Database } from '../database.js';

/** Connections of a process next to its pool: feed, the commit of each second. */
const DIRECT_CONNECTIONS = 2;
/** Connections of a replica for its jobs. */
const JOB_CONNECTIONS = 6;

/** Setting of PostgreSQL, as `pg_settings` tells it to this role in this database. */
interface ServerSetting {
  readonly name: string;
  readonly setting: string;
  /** When it can be changed: `postmaster` means at a start of the server. */
  readonly context: string;
  /** Where the value is from. */
  readonly source: string;
  /** Names for a statement, quoted. */
  readonly database: string;
  readonly role: string;
  /** Number of servers that receive the log. */
  readonly standbys: number;
}

interface Requirement {
  accepts(setting: ServerSetting): boolean;
  /** What happens otherwise. */
  readonly otherwise: string;
  /** Value that mends it, as a statement has it. */
  readonly value: string;
}

const is =
  (...values: readonly string[]): Requirement['accepts'] =>
  ({ setting }) =>
    values.includes(setting);

/** What the service needs of its server, by the name of the setting. */
function requirementsOf(settings: Settings): Readonly<Record<string, Requirement>> {
  const ofProcess = DIRECT_CONNECTIONS + (settings.DATABASE_DIRECT_URL ? 0 : settings.DATABASE_POOL_SIZE);
  const connections = JOB_CONNECTIONS + settings.WORKERS * ofProcess;
  return {
    autovacuum: {
      accepts: is('on'),
      otherwise: 'tables grow without end',
      value: 'on',
    },
    DateStyle: {
      accepts: ({ setting }) => setting.startsWith('ISO'),
      otherwise: 'times cannot be read',
      value: "'ISO'",
    },
    default_transaction_isolation: {
      accepts: is('read committed'),
      otherwise: 'concurrent requests fail',
      value: "'read committed'",
    },
    fsync: {
      accepts: is('on'),
      otherwise: 'a crash of the machine may damage the database',
      value: 'on',
    },
    full_page_writes: {
      accepts: is('on'),
      otherwise: 'a crash of the machine may damage the database',
      value: 'on',
    },
    max_connections: {
      accepts: ({ setting }) => Number(setting) >= connections,
      otherwise: `a replica makes up to ${connections} connections`,
      value: String(connections + 20),
    },
    synchronous_commit: {
      accepts: is('on', 'remote_apply'),
      otherwise: 'a crash or a promotion may lose what was acknowledged, such as a logout',
      value: 'on',
    },
    synchronous_standby_names: {
      accepts: ({ setting, standbys }) => setting !== '' || standbys === 0,
      otherwise: 'the promotion of a standby may lose what was acknowledged, such as a logout',
      value: "'ANY 1 (*)'",
    },
  };
}

/**
 * Warns at the start of settings of PostgreSQL with which the service does not keep its promises,
 * with the statement that mends each. Not for the embedded PostgreSQL, whose settings are its own.
 */
@Injectable()
export class ServerSettings implements OnApplicationBootstrap {
  private readonly logger = new Logger('Database');

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.settings.DATABASE_URL) return;
    const requirements = requirementsOf(this.settings);
    const rows = await this.database.rows<ServerSetting>(
      `SELECT name, setting, context, source, quote_ident(current_database()) AS database, quote_ident(current_user) AS role,
         (SELECT count(*)::int FROM pg_stat_replication) AS standbys
       FROM pg_settings WHERE name = ANY($1) ORDER BY name`,
      [Object.keys(requirements)],
    );
    for (const row of rows) {
      const requirement = requirements[row.name];
      if (!requirement || requirement.accepts(row)) continue;
      const { otherwise, value } = requirement;
      this.logger.warn(
        `PostgreSQL has ${row.name} = '${row.setting}': ${otherwise}. Mend it by ${mendBy(row, value)}`,
      );
    }
  }
}

/** Returns the statement that replaces the value at the place where it is set. */
function mendBy({ name, context, source, database, role }: ServerSetting, value: string): string {
  const set = `SET ${name} = ${value};`;
  if (context === 'postmaster') return `ALTER SYSTEM ${set} and a restart of PostgreSQL`;
  if (context === 'sighup') return `ALTER SYSTEM ${set} SELECT pg_reload_conf();`;
  if (source === 'user') return `ALTER ROLE ${role} ${set}`;
  if (source === 'database user') return `ALTER ROLE ${role} IN DATABASE ${database} ${set}`;
  return `ALTER DATABASE ${database} ${set}`;
}

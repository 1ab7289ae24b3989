import type { Settings } from '../../config/index.js';

/**
 * Has the planner prefer any index to a scan of a table. The plan of a prepared statement is kept:
 * one of an empty table, as after the installation or at the start of a monthly partition, would
 * scan the growing table until it is analyzed. Releases before PostgreSQL 18 give a scan that has
 * no index a cost at which they would also compile the statement.
 */
const OPTIONS = '-c enable_seqscan=off -c jit=off';

/** Startup parameters of a connection. Behind a pooler, statements are not prepared: none. */
export function planning(settings: Settings): { readonly options?: string } {
  return settings.DATABASE_DIRECT_URL ? {} : { options: OPTIONS };
}

import type { TenantId, UserId } from '../../kernel/index.js';
import type { Database } from '../../platform/database/index.js';
import { RefusedLine } from './import-batch.js';

/** Maximum number of lines of which the report says what is wrong; all are counted. */
const MAX_ERRORS = 10_000;

/** Rolls back what a dry run has done. */
class DryRun extends Error {}

/** What an import has done. */
export interface ImportReport {
  imported: number;
  /** Lines whose person was imported before. */
  unchanged: number;
  failed: number;
  /** People who were invited; left out of an import that invites no one. */
  invited?: number;
  /** The first 10,000 lines that failed. */
  readonly errors: { readonly line: number; readonly reason: string }[];
}

/** Who makes accounts members, and of which organizations. */
export interface Joining {
  /** Operator or program of the platform, the actor in the trails; null for the command line. */
  readonly operatorId: UserId | null;
  /** Why no line may have memberships; null if lines may. */
  readonly refusal: string | null;
  /** Whether people whose address is not verified are invited; left out for false. */
  readonly invites?: boolean;
  /** Organizations whose owners are to be told, and already are by an earlier line. */
  readonly told: Set<TenantId>;
}

/** State of one run. */
export interface Run {
  readonly joining: Joining;
  readonly report: ImportReport;
  readonly isDryRun: boolean;
  readonly startedAt: Date;
  /** Whether accounts may be there that only a look-up finds. */
  readonly looksFirst: boolean;
  /** Schemes of password hashes that are stored, or will be. */
  readonly schemes: Set<string>;
}

/** Does a part of the work for a line; counts and reports what is refused. */
export function attempt(run: Run, line: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    refuse(run, line, error);
  }
}

/** Waits for a part of the work for a line, as {@link attempt} does it. */
export async function attemptLater(run: Run, line: number, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => refuse(run, line, error));
}

/** Does in a transaction what belongs to a line; a dry run rolls it back. */
export async function inTransaction(
  database: Database,
  isDryRun: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const tried = database.transaction(async () => {
    await work();
    if (isDryRun) throw new DryRun();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error;
  });
}

/** Counts and reports a refused line. @throws what is no refusal */
function refuse({ report }: Run, line: number, error: unknown): void {
  if (!(error instanceof RefusedLine)) throw error;
  report.failed += 1;
  if (report.errors.length < MAX_ERRORS) report.errors.push({ line, reason: error.message });
}

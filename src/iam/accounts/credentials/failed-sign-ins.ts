import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import type { UserId } from '../../../kernel/index.js';
import type { SignInFailures } from '../../audit/audit-event.entity.js';
import { AuditEventRepository } from '../../audit/audit-event.repository.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { LoginThrottleRepository, type Series, type SeriesOfNetwork } from './login-throttle.repository.js';

const ACTION = 'account.sign-in-failed';
const BATCH_ROWS = 500;
const FIRST_MILESTONE = 5;
const FIRST_MILESTONE_OF_ALL = 25;

/** Series that one more failure has changed. */
interface Progress {
  readonly networkKey: Buffer;
  /** Earlier series of the network, which had ended. */
  readonly ended: Series | null;
  readonly ofNetwork: Series;
  readonly ofAllNetworks: Series;
}

/**
 * Records series of wrong passwords for one account from one network in the audit trail: at 5, 10,
 * 20 and so on while a series goes on, and once more when the right password or an hour without a
 * failure has ended it. An event per guess would let an attacker fill the trail.
 */
@Injectable()
export class FailedSignIns {
  constructor(
    private readonly database: Database,
    private readonly throttles: LoginThrottleRepository,
    private readonly audit: AuditTrail,
    private readonly events: AuditEventRepository,
  ) {}

  /**
   * Records what one more failure has ended, and series that have reached a milestone.
   * @param owner null for an address without an account: the statements are the same
   */
  async recordProgress(owner: UserId | null, progress: Progress): Promise<void> {
    const { networkKey, ended, ofNetwork, ofAllNetworks } = progress;
    await this.events.insertDetails(owner, ACTION, [
      ...(ended ? [detailsOf(ended, networkKey, true)] : []),
      ...(isMilestone(ofNetwork, FIRST_MILESTONE) ? [detailsOf(ofNetwork, networkKey, false)] : []),
      ...(isMilestone(ofAllNetworks, FIRST_MILESTONE_OF_ALL) ? [detailsOf(ofAllNetworks, null, false)] : []),
    ]);
  }

  /** Records a series that the right password has ended, if there was one. */
  async recordEnd(owner: UserId | null, ended: Series | null, networkKey: Buffer): Promise<void> {
    if (ended) await this.events.insertDetails(owner, ACTION, [detailsOf(ended, networkKey, true)]);
  }

  /** Ends the series of an address. Joins the open transaction, which has locked the account. */
  async endSeries(accountKeys: readonly Buffer[]): Promise<void> {
    await this.record(await this.throttles.listSeriesForUpdate(accountKeys));
  }

  /**
   * Ends the series without a failure in the last hour. Skips those whose account is locked: the
   * next run ends them.
   * @returns whether there may be more, for which the job has to run again
   */
  @Cleanup()
  endQuietSeries(): Promise<boolean> {
    return this.database.transaction(async () => {
      const quiet = await this.throttles.listQuietSeriesForUpdate(BATCH_ROWS);
      await this.record(quiet);
      return quiet.length === BATCH_ROWS;
    });
  }

  private async record(series: readonly SeriesOfNetwork[]): Promise<void> {
    if (series.length === 0) return;
    const event = (one: SeriesOfNetwork) => ({
      actorId: one.accountId,
      action: ACTION,
      subject: `iam/accounts/${one.accountId}`,
      details: detailsOf(one, one.networkKey, true),
    });
    await this.audit.record(...series.map(event));
    await this.throttles.resetSeries(series);
  }
}

function detailsOf(
  { count, firstAt, lastAt }: Series,
  networkKey: Buffer | null,
  ended: boolean,
): SignInFailures {
  const network = networkKey?.toString('hex') ?? null;
  return { count, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString(), network, ended };
}

/**
 * Returns whether a count is `first` times a power of two. The number of events so grows with the
 * logarithm of the number of guesses.
 */
function isMilestone({ count }: Series, first: number): boolean {
  return count % first === 0 && Number.isInteger(Math.log2(count / first));
}

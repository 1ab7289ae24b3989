import { Inject, Injectable, Logger } from '@nestjs/common';
import { firstIdAt, type TenantId } from '../../kernel/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database, turnEnd } from '../../platform/database/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { signJwt } from '../../session/index.js';
import { ANCHOR_TYPE, readAnchor } from '../anchors/anchor.js';
import { AnchorKeys } from '../anchors/anchor-keys.js';
import { AuditPartitionRepository } from './audit-partition.repository.js';
import { AuditRetentionRepository, type NewStart, type Periods } from './audit-retention.repository.js';

/** Chains that are looked at in one statement. */
const CHAINS = 500;
/** Events of one transaction. */
const EVENTS = 500;
/** Retentions that differ by less share the drop of a partition, which is of a month. */
const SHARED_DAYS = 31;
const DAY_MS = 86_400_000;

/**
 * Removes what is over its retention: whole partitions where no organization keeps more, else the
 * events of an organization in batches. The chain of each then starts at an anchor, which is signed
 * once more as its start: an owner of the database cannot do this (ADR 73).
 */
@Injectable()
export class AuditRemoval {
  private readonly logger = new Logger('Audit');
  private readonly periods: Periods;

  constructor(
    private readonly database: Database,
    private readonly retentions: AuditRetentionRepository,
    private readonly partitions: AuditPartitionRepository,
    private readonly keys: AnchorKeys,
    @Inject(SETTINGS) settings: Settings,
  ) {
    const { AUDIT_RETENTION_DAYS: fallback, AUDIT_RETENTION_MIN_DAYS: min } = settings;
    this.periods = { fallback, platform: settings.AUDIT_PLATFORM_RETENTION_DAYS ?? fallback, min };
  }

  /** Moves the starts of chains to their newest anchors over the retention. */
  @JobHandler({ task: 'start_audit_chains', schedule: '37 0 * * *' })
  async moveStarts(): Promise<void> {
    const key = await this.keys.prepare();
    const known = await this.keys.load();
    const iat = Math.floor(Date.now() / 1_000);
    let after: TenantId | null = null;
    for (;;) {
      const chains = await this.retentions.listWithOldAnchors(this.periods, after, CHAINS);
      const starts = chains.flatMap(({ tenantId, jws, signedBefore }): NewStart[] => {
        if (jws === null || signedBefore === null) return [];
        const anchor = readAnchor(jws, known);
        const isOurs = anchor !== null && (anchor.tenantId ?? PLATFORM) === tenantId;
        if (!isOurs || anchor.iat >= signedBefore) {
          const reason = isOurs ? 'was signed later than its row says' : 'is not signed by this service';
          this.logger.warn(`The chain of ${tenantId} is not shortened: an anchor ${reason}.`);
          return [];
        }
        const start = { ...anchor, iat, start: true };
        return [{ tenantId, sequence: anchor.sequence, jws: signJwt(key, ANCHOR_TYPE, start) }];
      });
      if (starts.length > 0) await this.retentions.saveStarts(starts);
      after = chains.at(-1)?.tenantId ?? null;
      if (chains.length < CHAINS) return;
    }
  }

  /** Removes events before the starts of their chains. */
  @Cleanup()
  async removeOfOrganizations(): Promise<boolean> {
    const end = turnEnd();
    const chains = await this.retentions.listShortened(this.periods, SHARED_DAYS, CHAINS);
    for (const chain of chains)
      if (await this.database.repeatUntil(end, () => this.retentions.removeBatch(chain, EVENTS))) return true;
    return chains.length === CHAINS;
  }

  /** Makes the partitions of coming months, and drops those that no organization keeps. */
  @Cleanup()
  async maintainPartitions(): Promise<void> {
    await this.partitions.add();
    let last = null;
    let hasEvents = false;
    // A replica's clock may be behind: nothing is recorded any more in what ended a day ago.
    const past = await this.partitions.list(firstIdAt(Date.now() - DAY_MS));
    for (const [n, partition] of past.entries()) {
      if (!(await this.partitions.isOver(partition))) break;
      hasEvents ||= n > 0 || !(await this.partitions.isEmpty(partition));
      last = partition;
    }
    if (last && hasEvents) await this.partitions.dropUpTo(last);
  }
}

import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import type { ChainEnd } from '../chain/chain.repository.js';
import { hashOfEntry, NO_HASH } from '../chain/entry-hash.js';
import { type StoredEntry, VerificationRepository } from './verification.repository.js';

/** Chains that are read at once. */
const CHAINS = 100;
/** Up to how many events that wait for their places are counted. */
const MAX_WAITING = 100_000;

/** The first thing that is wrong. */
export interface Broken {
  /** Null for the trail of the platform. */
  readonly organizationId: TenantId | null;
  /** Number of the entry; null for an event that has none. */
  readonly entry: number | null;
  readonly reason: string;
}

export interface Verified {
  readonly chains: number;
  readonly entries: number;
  /** Events that have no place yet. */
  readonly waiting: number;
  readonly broken: Broken | null;
}

/** Verifies the chains of the audit trail (ADR 59). */
@Injectable()
export class VerificationService {
  constructor(private readonly repository: VerificationRepository) {}

  /**
   * Verifies one chain after the other, in limited memory, until something is wrong.
   * @param only this organization; undefined for all, and for the trail of the platform
   * @param onProgress called with the number of entries so far
   */
  async verify(only: TenantId | undefined, onProgress: (entries: number) => void): Promise<Verified> {
    let [chains, entries] = [0, 0];
    let broken: Broken | null = null;
    for await (const chain of this.readChains(only)) {
      broken = await this.verifyChain(chain, (batch) => onProgress((entries += batch)));
      chains += 1;
      if (broken) break;
    }
    broken ??= await this.findUnchained(only);
    return { chains, entries, waiting: await this.repository.countWaiting(MAX_WAITING), broken };
  }

  private async *readChains(only: TenantId | undefined): AsyncGenerator<ChainEnd> {
    if (only !== undefined) {
      const chain = await this.repository.findChain(only);
      if (chain) yield chain;
      return;
    }
    let after: TenantId | null = null;
    for (;;) {
      const chains: ChainEnd[] = await this.repository.listChains(after, CHAINS);
      yield* chains;
      after = chains.at(-1)?.tenantId ?? null;
      if (chains.length < CHAINS) return;
    }
  }

  private async verifyChain(chain: ChainEnd, onBatch: (entries: number) => void): Promise<Broken | null> {
    const organizationId = chain.tenantId === PLATFORM ? null : chain.tenantId;
    let [sequence, hash] = [0, NO_HASH];
    while (sequence < chain.last) {
      const entries = await this.repository.listEntries(chain.tenantId, sequence);
      if (entries.length === 0)
        return { organizationId, entry: sequence + 1, reason: 'The entry is missing.' };
      for (const entry of entries) {
        sequence += 1;
        const reason = faultOf(entry, sequence, hash);
        if (reason !== null) return { organizationId, entry: sequence, reason };
        hash = entry.hash;
        if (sequence === chain.last && hash !== chain.hash)
          return {
            organizationId,
            entry: sequence,
            reason: 'The entry is not the recorded end of the chain.',
          };
      }
      onBatch(entries.length);
    }
    return null;
  }

  /** Finds an event that was inserted behind the chainer. */
  private async findUnchained(only: TenantId | undefined): Promise<Broken | null> {
    for (let after = ''; ;) {
      const { last, unchained } = await this.repository.scanEvents(after);
      if (unchained && (only === undefined || unchained.tenantId === only))
        return {
          organizationId: unchained.tenantId === PLATFORM ? null : unchained.tenantId,
          entry: null,
          reason: `The event ${unchained.id} is in no chain.`,
        };
      if (last === null) return null;
      after = last;
    }
  }
}

/** @returns what is wrong with the entry that follows a hash; null for nothing */
function faultOf(entry: StoredEntry, sequence: number, before: string): string | null {
  const { record, detailsHash, actualDetailsHash, isOfAccount } = entry;
  if (entry.sequence !== sequence) return 'The entry is missing.';
  if (record === null) return 'The event is missing.';
  if (entry.hash !== hashOfEntry(before, { sequence, detailsHash, record }))
    return 'The event or the entry was changed.';
  if (actualDetailsHash === detailsHash) return null;
  if (actualDetailsHash !== null) return 'The details of the event were changed.';
  return isOfAccount ? 'The details of the event are missing, and its account was not erased.' : null;
}

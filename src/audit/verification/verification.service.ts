import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { type AnchorClaims, readAnchor } from '../anchors/anchor.js';
import { AnchorKeys } from '../anchors/anchor-keys.js';
import { AnchorRepository } from '../anchors/anchor.repository.js';
import type { ChainEnd } from '../chain/chain.repository.js';
import { hashOfEntry, NO_HASH } from '../chain/entry-hash.js';
import { type StoredEntry, VerificationRepository } from './verification.repository.js';

/** Chains that are read at once. */
const CHAINS = 100;
/** Up to how many events that wait for their places are counted. */
const MAX_WAITING = 100_000;

const NOT_SIGNED = 'The anchor is not signed by this service.';

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

/** What is verified. */
interface Extent {
  /** Only this organization; undefined for all, and for the trail of the platform. */
  readonly only?: TenantId | undefined;
  /** Anchors that were kept outside the database. */
  readonly copies?: readonly string[];
}

interface Proofs {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** Copies of anchors, by chain. */
  readonly copies: ReadonlyMap<TenantId, readonly AnchorClaims[]>;
}

/** Verifies the chains of the audit trail, and their anchors (ADR 59). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly repository: VerificationRepository,
    private readonly anchors: AnchorRepository,
    private readonly anchorKeys: AnchorKeys,
  ) {}

  /**
   * Verifies one chain after the other, in limited memory, until something is wrong.
   * @param onProgress called with the number of entries so far
   */
  async verify({ only, copies = [] }: Extent, onProgress: (entries: number) => void): Promise<Verified> {
    let [chains, entries] = [0, 0];
    const keys = await this.anchorKeys.load();
    const claims = copies.map((jws) => readAnchor(jws, keys));
    let broken: Broken | null = claims.includes(null)
      ? { organizationId: null, entry: null, reason: NOT_SIGNED }
      : null;
    const signed = claims.filter((one) => one !== null);
    const proofs = { keys, copies: Map.groupBy(signed, ({ tenantId }) => tenantId ?? PLATFORM) };
    for await (const chain of this.readChains(only)) {
      if (broken) break;
      broken = await this.verifyChain(chain, proofs, (batch) => onProgress((entries += batch)));
      chains += 1;
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

  private async verifyChain(
    chain: ChainEnd,
    proofs: Proofs,
    onBatch: (entries: number) => void,
  ): Promise<Broken | null> {
    const wrong = (entry: number, reason: string): Broken => ({
      organizationId: chain.tenantId === PLATFORM ? null : chain.tenantId,
      entry,
      reason,
    });
    let [sequence, hash] = [0, NO_HASH];
    let next = this.repository.listEntries(chain.tenantId, sequence);
    while (sequence < chain.last) {
      const hashes = new Map<number, string>();
      const after = sequence;
      const entries = await next;
      const end = entries.at(-1);
      if (!end) return wrong(sequence + 1, 'The entry is missing.');
      next = this.repository.listEntries(chain.tenantId, end.sequence);
      next.catch(() => undefined); // It is read while the hashes are computed, and reported when it is awaited.
      for (const entry of entries) {
        sequence += 1;
        const reason = faultOf(entry, sequence, hash);
        if (reason !== null) return wrong(sequence, reason);
        hash = entry.hash;
        hashes.set(sequence, hash);
        if (sequence === chain.last && hash !== chain.hash)
          return wrong(sequence, 'The entry is not the recorded end of the chain.');
      }
      const fault = await this.findFalseAnchor(chain.tenantId, after, hashes, proofs);
      if (fault) return wrong(fault.sequence, fault.reason);
      onBatch(entries.length);
    }
    const cut = await this.findAnchorBeyond(chain.tenantId, proofs);
    return cut === null ? null : wrong(cut, 'The entry is missing: an anchor has it.');
  }

  /** Compares the anchors of some entries with their hashes. */
  private async findFalseAnchor(
    tenantId: TenantId,
    after: number,
    hashes: ReadonlyMap<number, string>,
    { keys, copies }: Proofs,
  ): Promise<{ readonly sequence: number; readonly reason: string } | null> {
    const stored = await this.anchors.listBetween(tenantId, after, after + hashes.size);
    for (const { sequence, jws } of stored) {
      const claims = readAnchor(jws, keys);
      const isOurs = claims?.sequence === sequence && (claims.tenantId ?? PLATFORM) === tenantId;
      if (!isOurs) return { sequence, reason: NOT_SIGNED };
      if (claims.hash !== hashes.get(sequence)) return { sequence, reason: 'The anchor has another hash.' };
    }
    const other = copies
      .get(tenantId)
      ?.find(({ sequence, hash }) => hashes.has(sequence) && hashes.get(sequence) !== hash);
    return other ? { sequence: other.sequence, reason: 'The anchor has another hash.' } : null;
  }

  /** @returns the number of an entry that was anchored and is behind the end of the chain */
  private async findAnchorBeyond(tenantId: TenantId, { copies }: Proofs): Promise<number | null> {
    // Read again: the chain may have grown, and have an anchor since.
    const last = (await this.repository.findChain(tenantId))?.last ?? 0;
    const stored = await this.anchors.findAfter(tenantId, last);
    const copy = copies.get(tenantId)?.find(({ sequence }) => sequence > last);
    return stored?.sequence ?? copy?.sequence ?? null;
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

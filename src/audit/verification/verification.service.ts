import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { readAnchor } from '../anchors/anchor.js';
import { AnchorKeys } from '../anchors/anchor-keys.js';
import type { StoredChain } from '../chain/chain.repository.js';
import { ChainVerifier, missingAnchored, NOT_SIGNED, type Proofs } from './chain-verifier.js';
import { type Swept, TrailSweep } from './trail-sweep.js';
import { VerificationRepository } from './verification.repository.js';

/** Chains that are read at once. */
const CHAINS = 1_000;
/** Starts that are named. */
const MAX_STARTS = 100;
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

/** A chain whose beginning is over its retention. */
interface ChainStart {
  readonly organizationId: TenantId | null;
  /** Number of its first entry. */
  readonly entry: number;
  /** When the service signed it. */
  readonly signedAt: string;
}

export interface Verified {
  readonly chains: number;
  readonly entries: number;
  /** The chains that start later than with their first entry, up to a hundred. */
  readonly starts: readonly ChainStart[];
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

/** Verifies the chains of the audit trail, and their anchors (ADR 59). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly repository: VerificationRepository,
    private readonly sweep: TrailSweep,
    private readonly verifier: ChainVerifier,
    private readonly anchorKeys: AnchorKeys,
  ) {}

  /**
   * Verifies the trail until something is wrong: all chains in one pass, then those chains one by
   * one of which it has not shown that they are right.
   * @param onProgress called with the number of entries so far
   */
  async verify({ only, copies = [] }: Extent, onProgress: (entries: number) => void): Promise<Verified> {
    let [chains, entries] = [0, 0];
    const starts: ChainStart[] = [];
    const keys = await this.anchorKeys.load();
    const claims = copies.map((jws) => readAnchor(jws, keys));
    let broken: Broken | null = claims.includes(null)
      ? { organizationId: null, entry: null, reason: NOT_SIGNED }
      : null;
    const signed = claims.filter((one) => one !== null);
    const proofs = { keys, copies: Map.groupBy(signed, ({ tenantId }) => tenantId ?? PLATFORM) };
    const all = await this.listChains(only);
    let read = 0;
    const swept: Swept =
      only === undefined && !broken
        ? await this.sweep.sweep(all, keys, (batch) => onProgress((read += batch)))
        : { right: new Set(), beforeUnchained: '' };
    for (const chain of all) {
      if (broken) break;
      const { tenantId } = chain;
      const isSwept = swept.right.has(tenantId);
      const onBatch = (batch: number): void => onProgress((entries += batch));
      const { fault, start } = await this.verifier.verify(chain, proofs, isSwept ? null : onBatch);
      if (isSwept) entries += chain.last - chain.startsAfter;
      const organizationId = tenantId === PLATFORM ? null : tenantId;
      if (fault) broken = { organizationId, entry: fault.sequence, reason: fault.reason };
      else await this.repository.saveVerified(tenantId, chain.chainedAt);
      if (start && starts.length < MAX_STARTS)
        starts.push({
          organizationId,
          entry: start.sequence + 1,
          signedAt: new Date(start.iat * 1_000).toISOString(),
        });
      chains += 1;
    }
    broken ??= await this.findChainBehindCopy(only, all, proofs.copies);
    if (swept.beforeUnchained !== null) broken ??= await this.findUnchained(only, swept.beforeUnchained);
    return { chains, entries, starts, waiting: await this.repository.countWaiting(MAX_WAITING), broken };
  }

  private async listChains(only: TenantId | undefined): Promise<StoredChain[]> {
    if (only !== undefined) {
      const chain = await this.repository.findChain(only);
      return chain ? [chain] : [];
    }
    const all: StoredChain[] = [];
    for (;;) {
      const chains = await this.repository.listChains(all.at(-1)?.tenantId ?? null, CHAINS);
      all.push(...chains);
      if (chains.length < CHAINS) return all;
    }
  }

  /** Finds a copy of an anchor whose chain was removed. The chain of a deleted organization was. */
  private async findChainBehindCopy(
    only: TenantId | undefined,
    chains: readonly StoredChain[],
    copies: Proofs['copies'],
  ): Promise<Broken | null> {
    const known = new Set(chains.map(({ tenantId }) => tenantId));
    for (const [tenantId, [copy]] of copies) {
      if (!copy || known.has(tenantId) || (only !== undefined && tenantId !== only)) continue;
      if (!(await this.repository.keepsChain(tenantId))) continue;
      const { sequence, reason } = missingAnchored(copy.sequence);
      return { organizationId: tenantId === PLATFORM ? null : tenantId, entry: sequence, reason };
    }
    return null;
  }

  /** Finds an event that was inserted behind the chainer. @param from id of an event before it */
  private async findUnchained(only: TenantId | undefined, from: string): Promise<Broken | null> {
    for (let after = from; ;) {
      const { last, unchained } = await this.repository.scanEvents(after, only ?? null);
      if (unchained)
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

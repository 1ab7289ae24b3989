import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { readAnchor } from '../anchors/anchor.js';
import { AnchorKeys } from '../anchors/anchor-keys.js';
import type { StoredChain } from '../chain/chain.repository.js';
import { ChainVerifier, NOT_SIGNED } from './chain-verifier.js';
import { VerificationRepository } from './verification.repository.js';

/** Chains that are read at once. */
const CHAINS = 100;
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
    private readonly verifier: ChainVerifier,
    private readonly anchorKeys: AnchorKeys,
  ) {}

  /**
   * Verifies one chain after the other, in limited memory, until something is wrong.
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
    for await (const chain of this.readChains(only)) {
      if (broken) break;
      const { tenantId } = chain;
      const { fault, start } = await this.verifier.verify(chain, proofs, (batch) =>
        onProgress((entries += batch)),
      );
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
    broken ??= await this.findUnchained(only);
    return { chains, entries, starts, waiting: await this.repository.countWaiting(MAX_WAITING), broken };
  }

  private async *readChains(only: TenantId | undefined): AsyncGenerator<StoredChain> {
    if (only !== undefined) {
      const chain = await this.repository.findChain(only);
      if (chain) yield chain;
      return;
    }
    let after: TenantId | null = null;
    for (;;) {
      const chains: StoredChain[] = await this.repository.listChains(after, CHAINS);
      yield* chains;
      after = chains.at(-1)?.tenantId ?? null;
      if (chains.length < CHAINS) return;
    }
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

import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { type AnchorClaims, readAnchor } from '../anchors/anchor.js';
import { AnchorRepository } from '../anchors/anchor.repository.js';
import type { StoredChain } from '../chain/chain.repository.js';
import { hashOfEntry, NO_HASH } from '../chain/entry-hash.js';
import { type Link, type StoredEntry, VerificationRepository } from './verification.repository.js';

/** Parts that are read at once: the database computes more for each entry than this process. */
const LANES = Math.min(availableParallelism(), 8);

export const NOT_SIGNED = 'The anchor is not signed by this service.';
const OTHER_HASH = 'The anchor has another hash.';
const START_NOT_SIGNED = 'The start of the chain is not signed by this service.';

/** What is wrong with a chain. */
export interface Fault {
  /** Number of the entry. */
  readonly sequence: number;
  readonly reason: string;
}

const missing = (sequence: number): Fault => ({ sequence, reason: 'The entry is missing.' });

/** What chains are compared with. */
export interface Proofs {
  readonly keys: ReadonlyMap<string, KeyObject>;
  /** Copies of anchors, by chain. */
  readonly copies: ReadonlyMap<TenantId, readonly AnchorClaims[]>;
}

/** Verifies one chain of the audit trail, and its anchors (ADR 59). */
@Injectable()
export class ChainVerifier {
  /** Entries of one part of a chain; tests lower it. */
  entriesOfPart = 50_000;

  constructor(
    private readonly repository: VerificationRepository,
    private readonly anchors: AnchorRepository,
  ) {}

  /**
   * @param onBatch called with the number of entries of a batch that are right
   * @returns the first thing that is wrong, and where the chain starts; null for the first entry
   */
  async verify(
    chain: StoredChain,
    proofs: Proofs,
    onBatch: (entries: number) => void,
  ): Promise<{ readonly fault: Fault | null; readonly start: AnchorClaims | null }> {
    const start = chain.start === null ? null : startOf(chain, proofs.keys);
    if (start === null && (chain.start !== null || chain.startsAfter > 0))
      return { fault: { sequence: chain.startsAfter + 1, reason: START_NOT_SIGNED }, start };
    const fault = await this.verifyFrom(start, chain, proofs, onBatch);
    const now = fault && (await this.repository.findChain(chain.tenantId));
    // Its beginning was removed while it was read.
    if (now && now.startsAfter > chain.startsAfter && fault.sequence <= now.startsAfter)
      return this.verify(now, proofs, onBatch);
    return { fault, start };
  }

  /** Verifies a chain from its start on, some parts of it at once. */
  private async verifyFrom(
    start: AnchorClaims | null,
    chain: StoredChain,
    proofs: Proofs,
    onBatch: (entries: number) => void,
  ): Promise<Fault | null> {
    const first: Link = start ?? { sequence: 0, hash: NO_HASH };
    const faults: (Fault | null)[] = [
      findOtherCopy(chain.tenantId, new Map([[first.sequence, first.hash]]), proofs),
    ];
    let next = first.sequence;
    const verifyParts = async (): Promise<void> => {
      while (next < chain.last && !faults.some(Boolean)) {
        const [after, to] = [next, Math.min(next + this.entriesOfPart, chain.last)];
        next = to;
        const before =
          after === first.sequence ? first : await this.repository.findLink(chain.tenantId, after);
        faults.push(before ? await this.verifyPart(chain, before, to, proofs, onBatch) : missing(after));
      }
    };
    await Promise.all(Array.from({ length: LANES }, verifyParts));
    const found = faults.filter((fault) => fault !== null);
    if (found.length > 0) return found.reduce((one, other) => (one.sequence <= other.sequence ? one : other));
    const cut = await this.findAnchorBeyond(chain.tenantId, proofs);
    return cut === null ? null : { sequence: cut, reason: 'The entry is missing: an anchor has it.' };
  }

  /**
   * Verifies the entries after one, up to another. Each is compared with the hash that the entry
   * before it has, so that parts that are right one by one are right together.
   */
  private async verifyPart(
    { tenantId, last, hash: end }: StoredChain,
    before: Link,
    to: number,
    proofs: Proofs,
    onBatch: (entries: number) => void,
  ): Promise<Fault | null> {
    let { sequence, hash } = before;
    let next = this.repository.listEntries(tenantId, sequence, to);
    while (sequence < to) {
      const hashes = new Map<number, string>();
      const after = sequence;
      const entries = await next;
      const lastRead = entries.at(-1);
      if (!lastRead) return missing(sequence + 1);
      next = this.repository.listEntries(tenantId, lastRead.sequence, to);
      next.catch(() => undefined); // It is read while the hashes are computed, and reported when it is awaited.
      for (const entry of entries) {
        sequence += 1;
        const reason = faultOf(entry, sequence, hash);
        if (reason !== null) return { sequence, reason };
        hash = entry.hash;
        hashes.set(sequence, hash);
        if (sequence === last && hash !== end)
          return { sequence, reason: 'The entry is not the recorded end of the chain.' };
      }
      const fault = await this.findFalseAnchor(tenantId, after, hashes, proofs);
      if (fault) return fault;
      onBatch(entries.length);
    }
    return null;
  }

  /** Compares the anchors of some entries with their hashes. */
  private async findFalseAnchor(
    tenantId: TenantId,
    after: number,
    hashes: ReadonlyMap<number, string>,
    proofs: Proofs,
  ): Promise<Fault | null> {
    const stored = await this.anchors.listBetween(tenantId, after, after + hashes.size);
    for (const { sequence, jws } of stored) {
      const claims = readAnchor(jws, proofs.keys);
      const isOurs = claims?.sequence === sequence && (claims.tenantId ?? PLATFORM) === tenantId;
      if (!isOurs) return { sequence, reason: NOT_SIGNED };
      if (claims.hash !== hashes.get(sequence)) return { sequence, reason: OTHER_HASH };
    }
    return findOtherCopy(tenantId, hashes, proofs);
  }

  /** @returns the number of an entry that was anchored and is behind the end of the chain */
  private async findAnchorBeyond(tenantId: TenantId, { copies }: Proofs): Promise<number | null> {
    // Read again: the chain may have grown, and have an anchor since.
    const last = (await this.repository.findChain(tenantId))?.last ?? 0;
    const stored = await this.anchors.findAfter(tenantId, last);
    const copy = copies.get(tenantId)?.find(({ sequence }) => sequence > last);
    return stored?.sequence ?? copy?.sequence ?? null;
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

/** @returns what is signed of the start of a chain; null if not, or of another chain or entry */
function startOf(
  { tenantId, startsAfter, start }: StoredChain,
  keys: ReadonlyMap<string, KeyObject>,
): AnchorClaims | null {
  const claims = readAnchor(start ?? '', keys);
  const isOurs = claims?.start === true && (claims.tenantId ?? PLATFORM) === tenantId;
  return isOurs && claims.sequence === startsAfter ? claims : null;
}

/** @returns the entry of which a copy of an anchor says another hash; null for none */
function findOtherCopy(
  tenantId: TenantId,
  hashes: ReadonlyMap<number, string>,
  { copies }: Proofs,
): Fault | null {
  const other = copies
    .get(tenantId)
    ?.find(({ sequence, hash }) => hashes.has(sequence) && hashes.get(sequence) !== hash);
  return other ? { sequence: other.sequence, reason: OTHER_HASH } : null;
}

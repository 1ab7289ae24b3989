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

/** Anchors that are read at once. */
const ANCHORS = 1_000;

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
/** Of an entry that was anchored. */
export const missingAnchored = (sequence: number): Fault => ({
  sequence,
  reason: 'The entry is missing: an anchor has it.',
});

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
   * @param onBatch called with the number of entries of a batch that are right; null if the entries
   *   are known to be right
   * @returns the first thing that is wrong, and where the chain starts; null for the first entry
   */
  async verify(
    chain: StoredChain,
    proofs: Proofs,
    onBatch: ((entries: number) => void) | null,
  ): Promise<{ readonly fault: Fault | null; readonly start: AnchorClaims | null }> {
    const found = findStart(chain, proofs.keys);
    if (!found) return { fault: { sequence: chain.startsAfter + 1, reason: START_NOT_SIGNED }, start: null };
    const { first, start } = found;
    const fault =
      (onBatch && (await this.findFalseEntry(chain, first, onBatch))) ??
      (await this.findFalseAnchor(chain, first, proofs));
    const now = fault && (await this.repository.findChain(chain.tenantId));
    // Its beginning was removed while it was read.
    if (now && now.startsAfter > chain.startsAfter && fault.sequence <= now.startsAfter)
      return this.verify(now, proofs, onBatch);
    return { fault, start };
  }

  /** Verifies the entries of a chain from its start on, some parts of it at once. */
  private async findFalseEntry(
    chain: StoredChain,
    first: Link,
    onBatch: (entries: number) => void,
  ): Promise<Fault | null> {
    const faults: (Fault | null)[] = [];
    let next = first.sequence;
    const verifyParts = async (): Promise<void> => {
      while (next < chain.last && !faults.some(Boolean)) {
        const [after, to] = [next, Math.min(next + this.entriesOfPart, chain.last)];
        next = to;
        const before =
          after === first.sequence ? first : await this.repository.findLink(chain.tenantId, after);
        faults.push(before ? await this.verifyPart(chain, before, to, onBatch) : missing(after));
      }
    };
    await Promise.all(Array.from({ length: LANES }, verifyParts));
    return faults.filter((fault) => fault !== null).toSorted((a, b) => a.sequence - b.sequence)[0] ?? null;
  }

  /**
   * Verifies the entries after one, up to another. Each is compared with the hash that the entry
   * before it has, so that parts that are right one by one are right together.
   */
  private async verifyPart(
    { tenantId, last, hash: end }: StoredChain,
    before: Link,
    to: number,
    onBatch: (entries: number) => void,
  ): Promise<Fault | null> {
    let { sequence, hash } = before;
    let next = this.repository.listEntries(tenantId, sequence, to);
    while (sequence < to) {
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
        if (sequence === last && hash !== end)
          return { sequence, reason: 'The entry is not the recorded end of the chain.' };
      }
      onBatch(entries.length);
    }
    return null;
  }

  /** Compares the anchors of a chain, and copies of them, with the entries that they are of. */
  private async findFalseAnchor(chain: StoredChain, first: Link, proofs: Proofs): Promise<Fault | null> {
    const { tenantId, last } = chain;
    const isOther = (hashes: ReadonlyMap<number, string>, { sequence, hash }: Link): boolean =>
      hashes.has(sequence) && hashes.get(sequence) !== hash;
    const copies = (proofs.copies.get(tenantId) ?? []).filter(({ sequence }) => sequence <= last);
    const hashesOfCopies = await this.findHashes(tenantId, first, copies);
    const other = copies.find((copy) => isOther(hashesOfCopies, copy));
    if (other) return { sequence: other.sequence, reason: OTHER_HASH };
    for (let after = first.sequence; ;) {
      const stored = await this.anchors.listBetween(tenantId, after, last, ANCHORS);
      const hashes = await this.findHashes(tenantId, first, stored);
      for (const { sequence, jws } of stored) {
        const claims = readAnchor(jws, proofs.keys);
        const isOurs = claims?.sequence === sequence && (claims.tenantId ?? PLATFORM) === tenantId;
        if (!isOurs) return { sequence, reason: NOT_SIGNED };
        if (claims.hash !== hashes.get(sequence)) return { sequence, reason: OTHER_HASH };
      }
      after = stored.at(-1)?.sequence ?? last;
      if (stored.length < ANCHORS) break;
    }
    const cut = await this.findAnchorBeyond(tenantId, proofs);
    return cut === null ? null : missingAnchored(cut);
  }

  /** Returns the hashes of entries by their number, with the start's. */
  private async findHashes(
    tenantId: TenantId,
    first: Link,
    of: readonly { readonly sequence: number }[],
  ): Promise<ReadonlyMap<number, string>> {
    const links = await this.repository.listLinks(
      tenantId,
      of.map(({ sequence }) => sequence),
    );
    return new Map(
      [...links.filter(({ sequence }) => sequence > first.sequence), first].map(({ sequence, hash }) => [
        sequence,
        hash,
      ]),
    );
  }

  /** @returns the number of an entry that was anchored and is behind the end of the chain */
  private async findAnchorBeyond(tenantId: TenantId, { copies }: Proofs): Promise<number | null> {
    // Read again: the chain may have grown, and have an anchor since.
    const last = (await this.repository.findChain(tenantId))?.last ?? 0;
    const [stored] = await this.anchors.listAfter(tenantId, last, 1);
    const copy = copies.get(tenantId)?.find(({ sequence }) => sequence > last);
    return stored?.sequence ?? copy?.sequence ?? null;
  }
}

/** @returns what is wrong with the entry that follows a hash; null for nothing */
export function faultOf(entry: StoredEntry, sequence: number, before: string): string | null {
  const { record, detailsHash, actualDetailsHash, isErased } = entry;
  if (entry.sequence !== sequence) return 'The entry is missing.';
  if (record === null) return 'The event is missing.';
  if (entry.hash !== hashOfEntry(before, { sequence, detailsHash, record }))
    return 'The event or the entry was changed.';
  if (actualDetailsHash === detailsHash) return null;
  if (actualDetailsHash !== null) return 'The details of the event were changed.';
  return isErased ? null : 'The details of the event are missing, and its account was not erased.';
}

/** Where a chain starts. */
interface Start {
  /** Before its first entry. */
  readonly first: Link;
  /** What is signed of it; null for a chain from which nothing was removed. */
  readonly start: AnchorClaims | null;
}

/** @returns null if the start of a chain is not signed, or for another chain or entry */
export function findStart(
  { tenantId, startsAfter, start }: StoredChain,
  keys: ReadonlyMap<string, KeyObject>,
): Start | null {
  if (start === null && startsAfter === 0) return { first: { sequence: 0, hash: NO_HASH }, start: null };
  const claims = readAnchor(start ?? '', keys);
  const isOurs = claims?.start === true && (claims.tenantId ?? PLATFORM) === tenantId;
  return isOurs && claims.sequence === startsAfter ? { first: claims, start: claims } : null;
}

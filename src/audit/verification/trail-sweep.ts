import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import type { StoredChain } from '../chain/chain.repository.js';
import { faultOf, findStart } from './chain-verifier.js';
import {
  type Link,
  type StoredEntry,
  type SweptEvent,
  VerificationRepository,
} from './verification.repository.js';

/** Parts that the database works on while one is verified, each on its own connection. */
const AHEAD = 1;

/** How far a chain was read. */
interface Progress {
  readonly chain: StoredChain;
  /** Before the first entry. */
  readonly first: Link;
  /** Entry with the highest number so far. */
  highest: Link;
  /** Number of entries that are right. */
  right: number;
  isEndRight: boolean;
}

/** Some events that follow each other by id. */
interface Part {
  /** Id of the event before them. */
  readonly after: string;
  readonly reading: Promise<readonly SweptEvent[]>;
}

/** What a pass over the events has shown. */
export interface Swept {
  /** Chains whose entries are all there and right. Of others nothing is known. */
  readonly right: ReadonlySet<TenantId>;
  /** Id of the event before the first one that may have no place in a chain; null if each has. */
  readonly beforeUnchained: string | null;
}

/**
 * Verifies the entries of all chains in one pass over the events in order of id: reading one chain
 * after the other looks up each event in its turn. A chain is right if every entry is right, which
 * takes the one before it, if the last one is its end, and if there are as many as it has: no
 * number twice. Whatever else is seen, also because the trail changes during the pass, leaves the
 * chain to {@link ChainVerifier}, which names the fault.
 */
@Injectable()
export class TrailSweep {
  /** Events of a part; tests lower it. */
  eventsAtOnce = 10_000;

  constructor(private readonly repository: VerificationRepository) {}

  /** @param onBatch called with the number of entries of a batch that are right */
  async sweep(
    chains: readonly StoredChain[],
    keys: ReadonlyMap<string, KeyObject>,
    onBatch: (entries: number) => void,
  ): Promise<Swept> {
    const all = new Map(chains.flatMap((chain) => beginningOf(chain, keys)));
    const lasts = new Map(chains.map(({ tenantId, last }) => [tenantId, last]));
    let beforeUnchained: string | null = null;
    for await (const { after, reading } of this.readParts()) {
      const events = await reading;
      if (beforeUnchained === null && !events.every((event) => isPlaced(event, lasts)))
        beforeUnchained = after;
      let right = 0;
      for (const [tenantId, entries] of Map.groupBy(events, (event) => event.tenantId)) {
        const progress = tenantId === null ? undefined : all.get(tenantId);
        if (!progress) continue;
        const before = progress.right;
        if (await this.areRight(progress, entries.filter(isEntry))) right += progress.right - before;
        else all.delete(progress.chain.tenantId);
      }
      onBatch(right);
    }
    const complete = [...all.values()].filter(isComplete);
    return { right: new Set(complete.map(({ chain }) => chain.tenantId)), beforeUnchained };
  }

  /**
   * Reads the events in parts, and begins the next ones before it returns one: the database works
   * on them while this process receives the one and computes its hashes.
   */
  private async *readParts(): AsyncGenerator<Part> {
    const begun: Part[] = [];
    for (let end: string | null = ''; end !== null;) {
      const after = end;
      end = await this.repository.findEndOfPart(after, this.eventsAtOnce);
      const reading = this.repository.sweepEvents(after, end);
      reading.catch(() => undefined); // Reported when it is awaited.
      const length = begun.push({ after, reading });
      if (length > AHEAD) yield* begun.splice(0, 1);
    }
    yield* begun;
  }

  private async areRight(progress: Progress, entries: (SweptEvent & StoredEntry)[]): Promise<boolean> {
    const { chain, first } = progress;
    for (const entry of entries.sort((a, b) => a.sequence - b.sequence)) {
      const { sequence, hash } = entry;
      if (sequence <= first.sequence || sequence > chain.last) continue;
      const follows = sequence === progress.highest.sequence + 1;
      const before = follows ? progress.highest : await this.findBefore(progress, sequence);
      if (!before || faultOf(entry, sequence, before.hash) !== null) return false;
      progress.right += 1;
      if (sequence > progress.highest.sequence) progress.highest = { sequence, hash };
      if (sequence === chain.last) progress.isEndRight = hash === chain.hash;
    }
    return true;
  }

  /**
   * Finds the entry before one that does not follow what was read: transactions commit in another
   * order than the ids of their events.
   */
  private async findBefore({ chain, first }: Progress, sequence: number): Promise<Link | null> {
    if (sequence === first.sequence + 1) return first;
    return this.repository.findLink(chain.tenantId, sequence - 1);
  }
}

function beginningOf(chain: StoredChain, keys: ReadonlyMap<string, KeyObject>): [TenantId, Progress][] {
  const found = findStart(chain, keys);
  if (!found) return [];
  const { first } = found;
  const isEmpty = chain.last === first.sequence;
  return [[chain.tenantId, { chain, first, highest: first, right: 0, isEndRight: isEmpty }]];
}

const isComplete = ({ chain, first, right, isEndRight }: Progress): boolean =>
  isEndRight && right === chain.last - first.sequence;

/** @param lasts numbers of the last entries of the chains */
const isPlaced = ({ tenantId, sequence }: SweptEvent, lasts: ReadonlyMap<TenantId, number>): boolean =>
  tenantId !== null && sequence !== null && sequence > 0 && sequence <= (lasts.get(tenantId) ?? 0);

const isEntry = (event: SweptEvent): event is SweptEvent & StoredEntry => event.sequence !== null;

import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { AnchorRepository } from '../anchors/anchor.repository.js';
import { toOcsf } from './ocsf.js';
import type { StreamQuery } from './stream.dto.js';
import { StreamRepository } from './stream.repository.js';

const DEFAULT_LIMIT = 1_000;

/** Streams the audit trail to collectors of security events (SIEM), a line for each item. */
@Injectable()
export class StreamService {
  constructor(
    private readonly events: StreamRepository,
    private readonly anchors: AnchorRepository,
  ) {}

  /**
   * Reads the events after a place of the chain. No event appears before one that a reader has
   * seen: a reader who continues after the last line misses none and gets none twice.
   */
  async read(tenantId: TenantId, query: StreamQuery): Promise<string> {
    const { after, limit } = placeOf(query);
    const events = await this.events.read(tenantId, after, limit);
    return linesOf(events.map((event) => JSON.stringify(toOcsf(event))));
  }

  /** Reads the anchors of entries after a place of the chain. */
  async readAnchors(tenantId: TenantId, query: StreamQuery): Promise<string> {
    const { after, limit } = placeOf(query);
    return linesOf((await this.anchors.listAfter(tenantId, after, limit)).map(({ jws }) => jws));
  }
}

const placeOf = ({ after = '0', limit = String(DEFAULT_LIMIT) }: StreamQuery) => ({
  after: Number(after),
  limit: Number(limit),
});

const linesOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  type EventDocument,
  eventDocumentOf,
  EventFeed,
  type EventType,
} from '../../platform/events/index.js';
import { toBody } from '../engine/event-body.js';
import { EventReaders } from '../endpoints/event-readers.js';
import { FILTER_SHAPE, matchesType, typesOfStream } from '../matching.js';
import type { EventPageResponse, EventsQuery } from './event.dto.js';

const DEFAULT_LIMIT = 50;

/** Reads events and their types, as far as the caller may. */
@Injectable()
export class EventService {
  constructor(
    private readonly feed: EventFeed,
    private readonly readers: EventReaders,
  ) {}

  /** Lists the types that the caller may subscribe to. */
  async listTypes(tenantId: TenantId, caller: Principal): Promise<EventDocument[]> {
    return (await this.readableTypes(tenantId, caller)).map(eventDocumentOf);
  }

  /**
   * Reads a page in order of `sequence`. Leaves out types that the caller may not read.
   * @throws {AppError} validation-error on `cursor`, and on `types` for types that do not exist: a
   *   cursor would pass what was meant
   */
  async read(
    tenantId: TenantId,
    caller: Principal,
    { cursor, types, limit }: EventsQuery,
  ): Promise<EventPageResponse> {
    const filters = types?.split(',') ?? ['*'];
    requireTypes(tenantId, filters);
    const readable = (await this.readableTypes(tenantId, caller))
      .map(({ name }) => name)
      .filter((name) => filters.some((filter) => matchesType(filter, name)));
    const after = cursor === undefined ? 0 : decode(cursor);
    const page = await this.feed.read(tenantId, {
      after,
      limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
      types: readable,
    });
    return {
      items: page.events.map((event) => toBody(tenantId, event)),
      nextCursor: Buffer.from(String(page.after)).toString('base64url'),
      more: page.more,
    };
  }

  private async readableTypes(tenantId: TenantId, caller: Principal): Promise<EventType[]> {
    const mayRead = await this.readers.createCheck(tenantId, caller, false);
    return typesOfStream(tenantId).filter(({ name }) => mayRead(name));
  }
}

function requireTypes(tenantId: TenantId, filters: readonly string[]): void {
  const types = typesOfStream(tenantId);
  const exists = (filter: string) =>
    FILTER_SHAPE.test(filter) && types.some(({ name }) => matchesType(filter, name));
  if (!filters.every(exists)) throw AppError.violation('types', { id: 'webhook.unknown-type' });
}

function decode(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d{1,15}$/.test(text)) throw AppError.violation('cursor', 'must be a nextCursor of this feed');
  return Number(text);
}

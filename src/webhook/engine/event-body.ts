import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import {
  EventFeed,
  eventDocumentOf,
  type FeedEvent,
  findEventType,
  PLATFORM,
} from '../../platform/events/index.js';
import type { EventResponse } from '../feed/event.dto.js';
import { PersonalFieldsMark, type PersonalReader } from '../../iam/index.js';
import type { Claim } from './claims.repository.js';

/** An event as it is delivered and listed. */
export type EventBody = Readonly<EventResponse>;

type BodyRequest = Pick<Claim, 'tenantId' | 'eventId' | 'type' | 'sequence' | 'isTest' | 'personalData'>;

/** Builds the bodies of deliveries. */
@Injectable()
export class EventBodies {
  private readers: ReadonlyMap<string, PersonalReader> | undefined;
  /** Texts of events that several subscriptions get. */
  private readonly texts = new WeakMap<FeedEvent, string>();

  constructor(
    private readonly feed: EventFeed,
    private readonly marked: MarkedMethods,
  ) {}

  /** @returns the body of a delivery; null if the event has expired */
  async build(wanted: BodyRequest): Promise<EventBody | null> {
    const [event = null] = await this.findEvents([wanted]);
    return this.buildOf(wanted, event);
  }

  /** Finds the events of deliveries by one statement. @returns null for each that has expired */
  findEvents(wanted: readonly BodyRequest[]): Promise<(FeedEvent | null)[]> {
    return this.feed.findEach(wanted);
  }

  /** Returns the same as {@link build} of an event that has been read. */
  async buildOf(wanted: BodyRequest, event: FeedEvent | null): Promise<EventBody | null> {
    if (wanted.isTest) return this.buildTest(wanted);
    const { tenantId, eventId } = wanted;
    if (event?.id !== eventId) return null;
    const body = toBody(tenantId, event);
    if (!wanted.personalData) return body;
    const person = await this.readPersonal(tenantId, event);
    return person ? { ...body, data: { ...body.data, person } } : body;
  }

  /**
   * Returns the body of {@link buildOf} as it is sent. One without personal data is the same for
   * each subscription, and written once.
   */
  async textOf(wanted: BodyRequest, event: FeedEvent | null): Promise<string | null> {
    const isShared = event !== null && event.id === wanted.eventId && !wanted.isTest && !wanted.personalData;
    const known = isShared ? this.texts.get(event) : undefined;
    if (known !== undefined) return known;
    const body = await this.buildOf(wanted, event);
    const text = body && JSON.stringify(body);
    if (isShared && text !== null) this.texts.set(event, text);
    return text;
  }

  private buildTest({ tenantId, eventId, type }: BodyRequest): EventBody | null {
    const declared = findEventType(type);
    if (!declared) return null;
    const example = eventDocumentOf(declared).example as unknown as EventBody;
    const timestamp = new Date().toISOString();
    return {
      ...example,
      timestamp,
      id: eventId,
      sequence: 0,
      tenantId: tenantId === PLATFORM ? null : tenantId,
      data: { ...example.data, test: true },
    };
  }

  /** Reads personal data now: what was erased since the event is gone. */
  private async readPersonal(tenantId: TenantId, { type, data }: FeedEvent): Promise<object | null> {
    const personal = findEventType(type)?.personal;
    const id = personal && data[personal.field];
    if (!personal || typeof id !== 'string') return null;
    this.readers ??= new Map(
      this.marked.find<string, PersonalReader>(PersonalFieldsMark).map(({ mark, method }) => [mark, method]),
    );
    return (await this.readers.get(personal.source)?.(tenantId, id)) ?? null;
  }
}

/** @returns an event as it is listed and delivered, without personal data */
export function toBody(tenantId: TenantId, event: FeedEvent): EventBody {
  return {
    type: event.type,
    timestamp: event.createdAt.toISOString(),
    id: event.id,
    sequence: event.sequence,
    tenantId: tenantId === PLATFORM ? null : tenantId,
    subject: event.subject,
    actor: event.actorId,
    data: event.data,
  };
}

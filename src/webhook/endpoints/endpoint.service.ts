import { Injectable } from '@nestjs/common';
import { newId, type Principal, type TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { EVENT_DAYS, EventFeed, PLATFORM } from '../../platform/events/index.js';
import { OutboundPost } from '../../platform/outbound/index.js';
import { DeliveryRepository } from '../deliveries/delivery.repository.js';
import { Dispatcher } from '../engine/dispatcher.js';
import { Signatures } from '../engine/signatures.js';
import { matchesType, typesOfStream } from '../matching.js';
import { READ } from '../operators/operator-scopes.js';
import { EndpointStop } from './endpoint-stop.js';
import { EndpointTrail } from './endpoint-trail.js';
import { type Endpoint, type EndpointChanges, EndpointRepository } from './endpoint.repository.js';
import type { CreateSubscriptionDto } from './dto/subscription.dto.js';
import { EventReaders } from './event-readers.js';
import { requireEnabled } from './require-enabled.js';

/** Maximum number of subscriptions of an organization. */
const MAX_ENDPOINTS = 50;
const DAY_MS = 86_400_000;

type Given = { readonly [K in keyof CreateSubscriptionDto]?: CreateSubscriptionDto[K] | undefined };

/** Manages subscriptions. The caller has checked the permission before. */
@Injectable()
export class EndpointService {
  constructor(
    private readonly database: Database,
    private readonly endpoints: EndpointRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly readers: EventReaders,
    private readonly stops: EndpointStop,
    private readonly signatures: Signatures,
    private readonly outbound: OutboundPost,
    private readonly dispatcher: Dispatcher,
    private readonly feed: EventFeed,
    private readonly trail: EndpointTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<Endpoint[]> {
    return this.endpoints.list(tenantId, page);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Endpoint> {
    return (await this.endpoints.find(tenantId, id)) ?? throwNotFound();
  }

  /**
   * Creates a subscription.
   * @returns the subscription and its secret, which cannot be read again
   * @throws {AppError} validation-error for an address that is refused, and on `types[n]` for types
   *   that do not exist or that the caller may not read; conflict beyond {@link MAX_ENDPOINTS}
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    given: CreateSubscriptionDto,
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
    this.requireUrl(given.url);
    await this.requireReadable(tenantId, caller, given.types);
    await this.database.lockNameForUpdate(`webhooks ${tenantId}`);
    if ((await this.endpoints.count(tenantId)) >= MAX_ENDPOINTS)
      throw new AppError('conflict', {
        reason: { id: 'webhook.too-many', values: { max: MAX_ENDPOINTS } },
      });
    const { secret, sealed } = this.signatures.createSecret();
    const id = newId();
    const isEnabled = given.enabled !== false;
    await this.endpoints.insert(tenantId, {
      id,
      url: given.url,
      types: given.types,
      description: given.description ?? null,
      subjectPrefix: given.subjectPrefix ?? null,
      ordering: given.ordering ?? 'none',
      signing: given.signing ?? 'hmac',
      personalData: given.includePersonalData ?? false,
      status: isEnabled ? 'active' : 'disabled',
      reason: isEnabled ? null : 'by-user',
      sealedSecret: sealed,
      createdBy: caller.userId,
    });
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.created' });
    return { endpoint: await this.get(tenantId, id), secret };
  }

  /**
   * Changes the given fields. From then on, the scopes of a caller count who enables a subscription
   * or changes what it receives.
   * @throws {AppError} as for {@link create}; not-found
   */
  async update(tenantId: TenantId, caller: Principal, id: string, given: Given): Promise<Endpoint> {
    const endpoint = (await this.endpoints.findForUpdate(tenantId, id)) ?? throwNotFound();
    if (given.url !== undefined) this.requireUrl(given.url);
    const { enabled, includePersonalData, ...fields } = given;
    const asksForMore =
      given.types !== undefined ||
      given.url !== undefined ||
      includePersonalData === true ||
      enabled === true;
    if (asksForMore) await this.requireReadable(tenantId, caller, given.types ?? endpoint.types);
    const changes = {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(includePersonalData !== undefined && { personalData: includePersonalData }),
      ...(asksForMore && endpoint.createdBy !== caller.userId && { createdBy: caller.userId }),
    } as EndpointChanges;
    if (Object.keys(changes).length > 0) {
      await this.endpoints.update(tenantId, id, changes);
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.updated' });
    }
    if (enabled === true && (await this.endpoints.enable(tenantId, id))) {
      await this.deliveries.promoteFirst(tenantId, id);
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.enabled' });
    }
    if (enabled === false) await this.stops.disableBy(caller.userId, tenantId, id);
    await this.dispatcher.announce();
    return this.get(tenantId, id);
  }

  async delete(tenantId: TenantId, caller: Principal, id: string): Promise<void> {
    if (await this.endpoints.markDeleted(tenantId, id))
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.deleted' });
  }

  /** Replaces the secret. Both sign for a day. */
  async rotateSecret(
    tenantId: TenantId,
    caller: Principal,
    id: string,
  ): Promise<{ readonly secret: string; readonly previousSignsUntil: string }> {
    const { secret, sealed } = this.signatures.createSecret();
    const until = await this.endpoints.replaceSecret(tenantId, id, sealed);
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.secret-rotated' });
    return { secret, previousSignsUntil: until.toISOString() };
  }

  /**
   * Sends a test to this subscription alone.
   * @param type default: the first type that it matches
   * @returns the id of the delivery
   * @throws {AppError} validation-error on `type` for one that the caller may not read; conflict if
   *   the subscription is disabled
   */
  async sendTest(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    type: string | undefined,
  ): Promise<string> {
    const endpoint = await this.get(tenantId, id);
    requireEnabled(endpoint);
    const names = typesOfStream(tenantId).map(({ name }) => name);
    const matched = names.find((name) => endpoint.types.some((filter) => matchesType(filter, name)));
    const chosen = type ?? matched;
    if (chosen === undefined || !names.includes(chosen))
      throw AppError.violation('type', { id: 'webhook.unknown-type' });
    if (!(await this.readers.createCheck(tenantId, caller, true))(chosen))
      throw AppError.violation('type', { id: 'webhook.type-not-readable' });
    const deliveryId = await this.deliveries.addTest(tenantId, id, chosen);
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.test-sent' });
    await this.dispatcher.announce();
    return deliveryId;
  }

  /**
   * Starts to deliver the events since a time that were not delivered.
   * @throws {AppError} validation-error on `since` if they have expired, or for a time to come;
   *   not-found; conflict if the subscription is disabled
   */
  async recover(tenantId: TenantId, caller: Principal, id: string, since: string): Promise<void> {
    const time = new Date(since);
    if (time.getTime() < Date.now() - EVENT_DAYS * DAY_MS)
      throw AppError.violation('since', { id: 'webhook.since-expired', values: { days: EVENT_DAYS } });
    if (time.getTime() > Date.now()) throw AppError.violation('since', { id: 'webhook.since-future' });
    const endpoint = (await this.endpoints.findForUpdate(tenantId, id)) ?? throwNotFound();
    requireEnabled(endpoint);
    const { after, last } = await this.feed.findPosition(tenantId, time);
    await this.endpoints.startRecovery(tenantId, id, { since: time, after, until: last });
    await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.recovery-started' });
    await this.dispatcher.announce();
  }

  /** Stops a replay. What it has added is delivered. */
  async cancelRecovery(tenantId: TenantId, caller: Principal, id: string): Promise<void> {
    if (await this.endpoints.cancelRecovery(tenantId, id))
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.recovery-cancelled' });
  }

  private requireUrl(url: string): void {
    const fault = this.outbound.findFault(url);
    if (fault !== null) throw AppError.violation('url', fault);
  }

  /** Requires that the types exist and that the caller may read each of them. */
  private async requireReadable(
    tenantId: TenantId,
    caller: Principal,
    filters: readonly string[],
  ): Promise<void> {
    const mayRead = await this.readers.createCheck(tenantId, caller, true);
    const types = typesOfStream(tenantId);
    const violations = filters.flatMap((filter, n): Violation[] => {
      const matched = types.filter(({ name }) => matchesType(filter, name));
      const propertyPath = `types[${n}]`;
      if (matched.length === 0) return [{ propertyPath, message: { id: 'webhook.unknown-type' } }];
      const denied = matched.find(({ name }) => !mayRead(name));
      if (!denied) return [];
      const values = { scope: tenantId === PLATFORM ? READ : denied.readScope };
      return [{ propertyPath, message: { id: 'webhook.needs-scope', values } }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }
}

function throwNotFound(): never {
  throw new AppError('not-found');
}

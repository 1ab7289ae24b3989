import { Injectable } from '@nestjs/common';
import { newId, type Principal, type TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Dispatcher } from '../engine/dispatcher.js';
import { Signatures } from '../engine/signatures.js';
import type { CreateSubscriptionDto } from './subscription.dto.js';
import { EndpointCheck } from './endpoint-check.js';
import { EndpointStatusChanges } from './endpoint-status-changes.js';
import { EndpointTrail } from './endpoint-trail.js';
import { type Endpoint, type EndpointChanges, EndpointRepository } from './endpoint.repository.js';

/** Maximum number of subscriptions of an organization. */
const MAX_ENDPOINTS = 50;

type SubscriptionInput = {
  readonly [K in keyof CreateSubscriptionDto]?: CreateSubscriptionDto[K] | undefined;
};

/** Manages subscriptions. The caller has checked the permission before. */
@Injectable()
export class EndpointService {
  constructor(
    private readonly endpoints: EndpointRepository,
    private readonly check: EndpointCheck,
    private readonly statuses: EndpointStatusChanges,
    private readonly signatures: Signatures,
    private readonly dispatcher: Dispatcher,
    private readonly trail: EndpointTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<Endpoint[]> {
    return this.endpoints.list(tenantId, page);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Endpoint> {
    return (await this.endpoints.find(tenantId, id)) ?? AppError.notFound();
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
    input: CreateSubscriptionDto,
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
    this.check.requireUrl(input.url);
    await this.check.requireReadable(tenantId, caller, input.types);
    if ((await this.endpoints.countForUpdate(tenantId)) >= MAX_ENDPOINTS)
      throw new AppError('conflict', {
        reason: { id: 'webhook.too-many', values: { max: MAX_ENDPOINTS } },
      });
    const { secret, sealed } = this.signatures.createSecret();
    const id = newId();
    const isEnabled = input.enabled !== false;
    await this.endpoints.insert(tenantId, {
      id,
      url: input.url,
      types: input.types,
      description: input.description ?? null,
      subjectPrefix: input.subjectPrefix ?? null,
      ordering: input.ordering ?? 'none',
      signing: input.signing ?? 'hmac',
      personalData: input.includePersonalData ?? false,
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
  async update(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    input: SubscriptionInput,
  ): Promise<Endpoint> {
    const endpoint = (await this.endpoints.findForUpdate(tenantId, id)) ?? AppError.notFound();
    if (input.url !== undefined) this.check.requireUrl(input.url);
    const { enabled, includePersonalData, ...fields } = input;
    const asksForMore =
      input.types !== undefined ||
      input.url !== undefined ||
      includePersonalData === true ||
      enabled === true;
    if (asksForMore) await this.check.requireReadable(tenantId, caller, input.types ?? endpoint.types);
    const changes = {
      ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      ...(includePersonalData !== undefined && { personalData: includePersonalData }),
      ...(asksForMore && endpoint.createdBy !== caller.userId && { createdBy: caller.userId }),
    } as EndpointChanges;
    if (Object.keys(changes).length > 0) {
      await this.endpoints.update(tenantId, id, changes);
      await this.trail.record(tenantId, id, { actorId: caller.userId, action: 'webhook.updated' });
    }
    if (enabled === true) await this.statuses.enableBy(caller.userId, tenantId, id);
    if (enabled === false) await this.statuses.disableBy(caller.userId, tenantId, id);
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
}

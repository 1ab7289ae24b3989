import { Injectable } from '@nestjs/common';
import { canonicalEmail, type Principal, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { toEnd } from '../ends/end-of-access.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { OfferCheck } from './offer-check.js';
import { OfferValidity } from './offer-validity.js';
import type { ChangePartnershipDto, OfferPartnershipDto } from './partnership.dto.js';
import { PartnershipMails } from './partnership-mails.js';
import { PartnershipRecords } from './partnership-records.js';
import {
  type Partnership,
  PartnershipRepository,
  type PartnershipWithPeople,
} from './partnership.repository.js';

/** Partnerships of one host, also those that are over. */
const MAX_PARTNERSHIPS = 200;

/** Offers other organizations access to a host. The caller has checked the permission before. */
@Injectable()
export class PartnershipService {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly check: OfferCheck,
    private readonly validity: OfferValidity,
    private readonly tenants: TenantRepository,
    private readonly mails: PartnershipMails,
    private readonly records: PartnershipRecords,
  ) {}

  /** Lists partnerships in order of id, for thirty days after they are over too. */
  async list(tenantId: TenantId, page: Page): Promise<Partnership[]> {
    return this.validity.settle(await this.partnerships.listOfHost(tenantId, page));
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<PartnershipWithPeople> {
    const found = await this.partnerships.findOfHost(tenantId, id);
    const [partnership] = await this.validity.settle(found ? [found] : []);
    if (!partnership) throw new AppError('not-found');
    return { partnership, people: await this.partnerships.listPeople(id) };
  }

  /**
   * Offers an organization access. The response does not tell whether an address has an account,
   * or an organization has the slug.
   * @throws {AppError} validation-error for roles that are unknown, exceed the caller or are the
   *   owner's, an end in the past, unknown things, and both or neither of address and slug;
   *   conflict if the host has too many partnerships; too-many-requests for too many mails
   */
  async offer(
    tenantId: TenantId,
    caller: Principal,
    offer: OfferPartnershipDto,
    client: { readonly locale: string | null; readonly ipAddress: string },
  ): Promise<Partnership> {
    const { email = null, tenantSlug: slug = null, maxPeople = null } = offer;
    if ((email === null) === (slug === null)) throw AppError.violation('email', { id: 'partnership.target' });
    const roleIds = await this.check.requireRoles(tenantId, caller, offer.roles);
    const things = await this.check.requireThings(caller, offer.on);
    const until = toEnd(offer.until) ?? null;
    if ((await this.partnerships.count(tenantId, MAX_PARTNERSHIPS)) >= MAX_PARTNERSHIPS)
      throw new AppError('conflict', {
        reason: { id: 'partnership.too-many', values: { max: MAX_PARTNERSHIPS } },
      });
    const partnerId = slug === null ? null : await this.tenants.findIdBySlug(slug);
    if (partnerId === tenantId) throw AppError.violation('tenantSlug', { id: 'partnership.own' });
    const id = await this.partnerships.insert(tenantId, {
      email,
      emailKey: email && canonicalEmail(email),
      slug,
      partnerId,
      roleIds,
      things: things ?? null,
      until,
      maxPeople,
      createdBy: caller.userId,
    });
    const { name } = (await this.tenants.find(tenantId)) ?? { name: '' };
    if (email === null) await this.mails.tellOwners(partnerId, name);
    else await this.mails.tellAddress(tenantId, name, { email, ...client });
    const by = { tenantId, actorId: caller.userId };
    await this.records.record({ id, what: 'offered', by, otherId: null });
    return (await this.get(tenantId, id)).partnership;
  }

  /**
   * Changes what is offered. People who are on it have at once what is left of theirs.
   * @throws {AppError} validation-error as {@link offer}; forbidden if the roles that stay exceed
   *   the caller, who would give them on other things or for longer
   */
  async change(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    { roles, on, until, maxPeople }: ChangePartnershipDto,
  ): Promise<PartnershipWithPeople> {
    const { partnership } = await this.get(tenantId, id);
    if (!roles) await this.check.requireWithinReach(tenantId, caller, partnership.roles);
    await this.partnerships.update(tenantId, id, {
      roleIds: roles && (await this.check.requireRoles(tenantId, caller, roles)),
      things: on === null ? null : await this.check.requireThings(caller, on),
      until: toEnd(until),
      maxPeople,
    });
    const changed = await this.get(tenantId, id);
    const by = { tenantId, actorId: caller.userId };
    await this.records.record({ id, what: 'changed', by, otherId: changed.partnership.partnerId });
    await this.records.announce(changed.people.map(({ userId }) => ({ tenantId, userId })));
    return changed;
  }

  /** Withdraws an offer, or ends a partnership. Its people lose the access at once. */
  async end(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    const { partnership, people } = await this.get(tenantId, id);
    await this.partnerships.delete(tenantId, id);
    const by = { tenantId, actorId };
    await this.records.record({ id, what: 'withdrawn', by, otherId: partnership.partnerId });
    await this.records.announce(people.map(({ userId }) => ({ tenantId, userId })));
  }
}

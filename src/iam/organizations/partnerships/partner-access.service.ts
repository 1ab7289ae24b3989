import { Injectable } from '@nestjs/common';
import { parseSubject, thingOf } from '../../../ability/index.js';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { toEnd } from '../ends/end-of-access.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { RoleService } from '../roles/role.service.js';
import { OfferValidity } from './offer-validity.js';
import { OfferedAddress } from './offered-address.js';
import { MAX_PEOPLE, type PutPartnerPersonDto } from './partnership.dto.js';
import { PartnershipRecords } from './partnership-records.js';
import {
  type Partnership,
  PartnershipRepository,
  type PartnershipWithPeople,
  type PartnerPerson,
} from './partnership.repository.js';

/**
 * Accepts what other organizations offer, and puts members on it. The caller has checked the
 * permission before: the decision has locked the partnership.
 */
@Injectable()
export class PartnerAccessService {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly addresses: OfferedAddress,
    private readonly validity: OfferValidity,
    private readonly roles: RoleService,
    private readonly directory: MembershipDirectory,
    private readonly records: PartnershipRecords,
  ) {}

  /** Lists offers to the organization or to the caller's address, and active partnerships. */
  async list(partnerId: TenantId, caller: Principal, page: Page): Promise<Partnership[]> {
    const emailKey = await this.addresses.findKeyOf(caller);
    return this.validity.settle(await this.partnerships.listOfPartner(partnerId, emailKey, page));
  }

  /** @throws {AppError} not-found */
  async get(partnerId: TenantId, caller: Principal, id: string): Promise<PartnershipWithPeople> {
    const emailKey = await this.addresses.findKeyOf(caller);
    const found = await this.partnerships.findOfPartner(partnerId, emailKey, id);
    const [partnership] = await this.validity.settle(found ? [found] : []);
    if (!partnership) throw new AppError('not-found');
    return { partnership, people: await this.partnerships.listPeople(id) };
  }

  /**
   * Makes the organization a partner of the host.
   * @throws {AppError} conflict if it is the host, or a partner of the host already
   */
  async accept(partnerId: TenantId, caller: Principal, id: string): Promise<PartnershipWithPeople> {
    const { partnership } = await this.get(partnerId, caller, id);
    if (partnership.tenantId === partnerId)
      throw new AppError('conflict', { reason: { id: 'partnership.own' } });
    await this.records.tellOver(await this.partnerships.endOverOf(partnership.tenantId, partnerId));
    await this.partnerships.accept(id, partnerId).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('conflict', { reason: { id: 'partnership.partner-already' } });
    });
    await this.record('accepted', partnerId, caller, partnership);
    return this.get(partnerId, caller, id);
  }

  /** Declines an offer, or ends a partnership: its people lose the access to the host at once. */
  async end(
    partnerId: TenantId,
    caller: Principal,
    id: string,
    status: 'declined' | 'ended',
  ): Promise<PartnershipWithPeople> {
    const { partnership, people } = await this.get(partnerId, caller, id);
    await this.partnerships.end(id, status);
    await this.record(status === 'ended' ? 'left' : status, partnerId, caller, partnership);
    await this.records.announce(people.map(({ userId }) => ({ tenantId: partnership.tenantId, userId })));
    return { partnership: { ...partnership, status, people: 0 }, people: [] };
  }

  /**
   * Puts a member on a partnership, or changes what they have of it.
   * @throws {AppError} not-found for a person who is no active member; validation-error for roles
   *   and things that are not offered, and an end in the past; conflict if it is full
   */
  async putPerson(
    partnerId: TenantId,
    caller: Principal,
    id: string,
    userId: UserId,
    { roles, on, until }: PutPartnerPersonDto,
  ): Promise<PartnerPerson> {
    const { partnership, people } = await this.get(partnerId, caller, id);
    if (!(await this.directory.isMemberUncached(userId, partnerId, true))) throw new AppError('not-found');
    const isOn = people.some((person) => person.userId === userId);
    const max = partnership.maxPeople ?? MAX_PEOPLE;
    if (!isOn && people.length >= max)
      throw new AppError('conflict', { reason: { id: 'partnership.full', values: { max } } });
    const unknown = roles.findIndex((key) => !partnership.roles.includes(key));
    if (unknown >= 0) throw AppError.violation(`roles[${unknown}]`, { id: 'partnership.role-not-offered' });
    await this.partnerships.putPerson(partnership, {
      userId,
      roleIds: await this.roles.findIds(partnership.tenantId, roles),
      things: on ? requireOffered(partnership.things, on) : null,
      until: toEnd(until) ?? null,
      createdBy: caller.userId,
    });
    await this.record(isOn ? 'person-changed' : 'person-added', partnerId, caller, partnership, userId);
    await this.records.announce([{ tenantId: partnership.tenantId, userId }]);
    return (await this.partnerships.findPerson(id, userId)) ?? AppError.notFound();
  }

  /** Takes a person off a partnership. @throws {AppError} not-found */
  async removePerson(partnerId: TenantId, caller: Principal, id: string, userId: UserId): Promise<void> {
    const { partnership } = await this.get(partnerId, caller, id);
    if (!(await this.partnerships.removePerson(id, userId))) throw new AppError('not-found');
    await this.record('person-removed', partnerId, caller, partnership, userId);
    await this.records.announce([{ tenantId: partnership.tenantId, userId }]);
  }

  private record(
    what: string,
    tenantId: TenantId,
    { userId: actorId }: Principal,
    { id, tenantId: otherId }: Partnership,
    userId?: UserId,
  ): Promise<void> {
    const by = { tenantId, actorId };
    return this.records.record({ id, what, by, otherId, ...(userId !== undefined && { userId }) });
  }
}

/**
 * Returns the things that are named, each once. The host has checked those that it offers; of a
 * partnership on the whole host, what is named need not exist: the partner learns nothing of it.
 * @throws {AppError} validation-error for one that is not offered
 */
function requireOffered(offered: readonly string[] | null, on: readonly string[]): string[] {
  const things = on.map((uri, n) => {
    const subject = parseSubject(uri);
    const thing = subject && thingOf(subject);
    if (thing === null || offered?.includes(thing) === false)
      throw AppError.violation(`on[${n}]`, { id: 'partnership.thing-not-offered' });
    return thing;
  });
  return [...new Set(things)];
}

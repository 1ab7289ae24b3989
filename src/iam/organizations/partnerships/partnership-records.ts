import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { type Emitter, Events } from '../../../platform/events/index.js';
import { AccessCache } from '../members/access-cache.js';
import { PartnerPersonRemoved, PartnershipEnded } from '../organization.events.js';
import type { Membership } from '../members/member.entity.js';
import type { OverPartnership, RemovedPerson } from './partnership.repository.js';

/** What happened to a partnership, on one of its sides. */
interface Change {
  readonly id: string;
  /** Last part of the action, such as `accepted`. */
  readonly what: string;
  /** Organization in which it was done, and by whom. */
  readonly by: { readonly tenantId: TenantId; readonly actorId: UserId };
  /** The other organization; null while there is none. */
  readonly otherId: TenantId | null;
  /** Person whom it is about. */
  readonly userId?: UserId;
}

/** What every change of partnerships does besides: the trails of both sides, and the caches. */
@Injectable()
export class PartnershipRecords {
  private readonly ended: Emitter<PartnershipEnded>;
  private readonly removed: Emitter<PartnerPersonRemoved>;

  constructor(
    private readonly audit: AuditTrail,
    private readonly cache: AccessCache,
    events: Events,
  ) {
    this.ended = events.emitter(PartnershipEnded);
    this.removed = events.emitter(PartnerPersonRemoved);
  }

  /**
   * Records a change in the trails of both sides. The other side's names the organization as the
   * actor: neither side learns of people who are not on the partnership.
   */
  record({ id, what, by, otherId, userId }: Change): Promise<void> {
    const event = {
      action: `partnership.${what}`,
      subject: userId === undefined ? `iam/partnerships/${id}` : `iam/partnerships/${id}/people/${userId}`,
      holderId: id,
    };
    const own = { ...event, ...by };
    const others = otherId === null ? [] : [{ ...event, tenantId: otherId, actorId: idOfActor(by.tenantId) }];
    return this.audit.record(own, ...others);
  }

  /** Tells both sides of partnerships whose time is over. */
  async tellOver(over: readonly OverPartnership[]): Promise<void> {
    await this.ended.emit(
      ...over.map(({ id, tenantId, partnerId }) => ({
        tenantIds: partnerId === null ? [tenantId] : [tenantId, partnerId],
        subject: `iam/partnerships/${id}`,
        actorId: null,
        data: { partnershipId: id },
      })),
    );
    await this.announce(
      over.flatMap(({ tenantId, userIds }) => userIds.map((userId) => ({ tenantId, userId }))),
    );
  }

  /** Tells both sides of people on partnerships whose time is over. */
  async tellPeopleOver(over: readonly RemovedPerson[]): Promise<void> {
    await this.removed.emit(
      ...over.map(({ id, tenantId, partnerId, userId }) => ({
        tenantIds: [tenantId, partnerId],
        subject: `iam/partnerships/${id}/people/${userId}`,
        actorId: null,
        data: { partnershipId: id, userId },
      })),
    );
    await this.announce(over);
  }

  /** Invalidates the access of people of partners on every replica, after the commit. */
  async announce(people: readonly Membership[]): Promise<void> {
    if (people.length > 0) await this.cache.announceMemberships(...people);
  }
}

/** Returns the id by which an organization is the actor of an event, as a program is. */
export const idOfActor = (tenantId: TenantId): UserId => tenantId as string as UserId;

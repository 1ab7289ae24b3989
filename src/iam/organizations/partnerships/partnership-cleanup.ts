import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK } from '../../../kernel/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database } from '../../../platform/database/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { idOfActor, PartnershipRecords } from './partnership-records.js';
import { PartnershipRepository } from './partnership.repository.js';

/** People of one transaction. */
const PEOPLE = 200;
/** Partnerships of one transaction: each removes its people. */
const PARTNERSHIPS = 10;

/** Removes people from partnerships with their membership of the partner, and what is over. */
@Injectable()
export class PartnershipCleanup {
  constructor(
    private readonly database: Database,
    private readonly partnerships: PartnershipRepository,
    private readonly records: PartnershipRecords,
  ) {}

  /**
   * Takes a person off the partnerships of the organizations that they have left: a new membership
   * of the partner gives none of it back. The decision asks for the membership, so that the access
   * has ended without this.
   */
  @OnLifecycle('memberships.ended', { order: LOCK.rows })
  async removeOfLeft({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    const removed = await this.partnerships.removeOfLeft(userId, tenantIds);
    for (const { id, tenantId: otherId, partnerId } of removed) {
      const by = { tenantId: partnerId, actorId: idOfActor(partnerId) };
      await this.records.record({ id, what: 'person-removed', by, otherId, userId });
    }
    await this.records.announce(removed);
  }

  @OnLifecycle('account.erased', { order: LOCK.rows })
  async deleteOfAddress({ emailKey }: { readonly emailKey: string | null }): Promise<void> {
    if (emailKey !== null) await this.partnerships.deleteByEmailKey(emailKey);
  }

  /**
   * Removes the partnerships of a deleted organization, as a host and as a partner. The trail of
   * the other side says so.
   */
  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const { removed, people, more } = await this.partnerships.removeOfTenant(tenantId, PARTNERSHIPS);
    for (const { id, tenantId: hostId, partnerId, isActive } of removed) {
      const otherId = hostId === tenantId ? partnerId : hostId;
      if (!isActive || otherId === null) continue;
      const by = { tenantId: otherId, actorId: idOfActor(tenantId) };
      await this.records.record({ id, what: 'withdrawn', by, otherId: null });
    }
    await this.records.announce(people);
    if (more) repeat();
  }

  /**
   * Removes people whose time is over. They have no access by then.
   * @returns whether some may be left
   */
  @Cleanup()
  removeEndedPeople(): Promise<boolean> {
    return this.database.transaction(async () => {
      const ended = await this.partnerships.removeEndedPeople(PEOPLE);
      await this.records.tellPeopleOver(ended);
      return ended.length === PEOPLE;
    });
  }

  /**
   * Ends partnerships whose time is over. Their people have no access by then.
   * @returns whether some may be left
   */
  @Cleanup()
  endOver(): Promise<boolean> {
    return this.database.transaction(async () => {
      const ended = await this.partnerships.endOver(PARTNERSHIPS);
      await this.records.tellOver(ended);
      return ended.length === PARTNERSHIPS;
    });
  }

  /** Removes partnerships and offers that are over. @returns whether some may be left */
  @Cleanup()
  removeOver(): Promise<boolean> {
    return this.database.transaction(() => this.partnerships.removeOver(PARTNERSHIPS));
  }
}

import { Injectable } from '@nestjs/common';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Member, MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { PartnershipRepository } from './partnership.repository.js';

/** Limits what people of partners see of the host: themselves, and members who share a thing. */
@Injectable()
export class PartnerSight {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly directory: MembershipDirectory,
    private readonly members: MemberRepository,
  ) {}

  /** @returns the things whose holders the caller sees; null for a member, who sees all of them */
  async findThings(caller: Principal, tenantId: TenantId): Promise<readonly string[] | null> {
    if (caller.kind !== 'person' || caller.via === undefined) return null;
    return (await this.directory.findThingsOfPartner(caller.userId, tenantId)) ?? [];
  }

  /** @throws {AppError} not-found for a person whom the caller does not see */
  async getMember(caller: Principal, tenantId: TenantId, userId: UserId): Promise<Member> {
    const things = await this.findThings(caller, tenantId);
    const isSelf = things !== null && caller.userId === userId;
    const isSeen = things === null || (await this.members.sharesThing(tenantId, userId, things));
    const found = isSelf
      ? await this.findSelf(caller, userId)
      : isSeen && (await this.members.find(tenantId, userId));
    if (!found) throw new AppError('not-found');
    return found;
  }

  private async findSelf(caller: Principal, userId: UserId): Promise<Member | null> {
    const via = caller.kind === 'person' ? caller.via : undefined;
    const person = via === undefined ? null : await this.partnerships.findPerson(via, userId);
    if (!person) return null;
    const { things: _things, createdAt: joinedAt, ...self } = person;
    return { ...self, joinedAt, status: 'active', source: 'manual', lastActiveAt: null, roleEnds: [] };
  }
}

import { Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { MarkedMethods } from '../../../platform/discovery/index.js';

/** Name of the directory that has a member. */
export interface MemberDirectory {
  readonly userId: UserId;
  readonly name: string;
}

/** Returns the directories of an organization that have these people. */
type FindMemberDirectories = (
  tenantId: TenantId,
  userIds: readonly UserId[],
) => Promise<readonly MemberDirectory[]>;

/** Marks the {@link FindMemberDirectories} method: directories are a module above. */
export const NamesDirectories = Reflector.createDecorator();

/** Finds the directories that have members. */
@Injectable()
export class MemberDirectories {
  constructor(private readonly marked: MarkedMethods) {}

  /** Returns the names of their directories by the ids of members. */
  async findNames(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, string>> {
    const names = new Map<UserId, string>();
    if (userIds.length === 0) return names;
    for (const { method } of this.marked.find<unknown, FindMemberDirectories>(NamesDirectories))
      for (const { userId, name } of await method(tenantId, userIds)) names.set(userId, name);
    return names;
  }
}

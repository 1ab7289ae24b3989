import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { MAX_COUNTED } from '../../../platform/api/index.js';
import { RoleService } from '../roles/role.service.js';
import type { MembersQuery } from './member.dto.js';
import { MemberDirectories } from './member-directories.js';
import type { MemberPage } from './member-list.js';
import { type ListedMember, MemberRepository } from './member.repository.js';

/** A member of a list, with the name of the directory that added them; null for none. */
type NamedMember = ListedMember & { readonly directoryName: string | null };

interface MemberList {
  readonly members: NamedMember[];
  readonly total: number | null;
}

/** Lists the members of organizations. */
@Injectable()
export class MemberListingService {
  constructor(
    private readonly members: MemberRepository,
    private readonly roles: RoleService,
    private readonly directories: MemberDirectories,
  ) {}

  /**
   * Lists the members that match, in the order of the page.
   * @param things lists only those who hold a role on one of these; null for all
   * @returns a page, with one row more if there is a next one; `total` on the first page only
   */
  async list(
    tenantId: TenantId,
    page: MemberPage,
    { query, role, status, source, expiring }: MembersQuery,
    things: readonly string[] | null,
  ): Promise<MemberList> {
    const roleId = role === undefined ? null : await this.roles.findId(tenantId, role);
    if (roleId === undefined) return { members: [], total: page.after ? null : 0 };
    const filter = {
      query: query ?? null,
      roleId,
      status: status ?? null,
      source: source ?? null,
      things,
      endsBefore: expiring === undefined ? undefined : new Date(expiring),
    };
    const members = await this.members.list(tenantId, page, filter);
    const total = page.after ? null : await this.members.count(tenantId, filter, MAX_COUNTED);
    return { members: await this.withDetails(tenantId, members), total };
  }

  private async withDetails(tenantId: TenantId, members: readonly ListedMember[]): Promise<NamedMember[]> {
    const userIds = members.map(({ userId }) => userId);
    const lastActive = await this.members.findLastActive(tenantId, userIds);
    const ofDirectories = members.filter(({ source }) => source === 'directory');
    const idsOfDirectories = ofDirectories.map(({ userId }) => userId);
    const names = await this.directories.findNames(tenantId, idsOfDirectories);
    return members.map((member) => ({
      ...member,
      lastActiveAt: laterOf(member.lastActiveAt, lastActive.get(member.userId) ?? null),
      directoryName: names.get(member.userId) ?? null,
    }));
  }
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one !== null && (other === null || one > other) ? one : other;
}

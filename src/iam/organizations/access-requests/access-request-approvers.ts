import { Injectable } from '@nestjs/common';
import { thingOf } from '../../../ability/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccessCache } from '../members/access-cache.js';
import { MemberRepository } from '../members/member.repository.js';
import { OWNER } from '../roles/role-scopes.js';
import { type AccessRequest, AccessRequestRepository, DECIDE, GIVE } from './access-request.repository.js';

/** Finds who can approve requests, as the approval decides it. */
@Injectable()
export class AccessRequestApprovers {
  constructor(
    private readonly requests: AccessRequestRepository,
    private readonly members: MemberRepository,
    private readonly cache: AccessCache,
  ) {}

  /**
   * Finds members whose approval would be accepted: they decide about requests, may change the
   * member who asked, and hold in the whole organization what the role and this member hold.
   * @returns some of them, in order of id
   */
  async find(
    tenantId: TenantId,
    { userId, roleId }: Pick<AccessRequest, 'userId' | 'roleId'>,
  ): Promise<UserId[]> {
    const [requester] = await this.members.findJudged(tenantId, [userId], false);
    if (!requester || requester.isLastOwner) return [];
    const roles = [...((await this.cache.rolesById(tenantId, true)) ?? [])];
    const idsOf = (holds: (role: (typeof roles)[number]) => boolean): string[] =>
      roles.filter(holds).map(([id]) => id);
    const withScope = (scope: string) => idsOf(([, { scopes }]) => scopes.has(scope));
    const given = new Set([roleId, ...requester.allRoleIds]);
    const scopes = new Set(roles.flatMap(([id, role]) => (given.has(id) ? [...role.scopes] : [])));
    const required = [...scopes].map(withScope);
    if (requester.isOwner) required.push(idsOf(([, { key }]) => key === OWNER));
    return this.requests.findApprovers(tenantId, {
      userId,
      deciding: withScope(DECIDE),
      giving: withScope(GIVE),
      requester: thingOf({ module: 'iam', collection: 'members', id: userId }),
      required,
    });
  }
}

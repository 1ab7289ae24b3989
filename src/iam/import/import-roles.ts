import { Injectable } from '@nestjs/common';
import type { Locked, TenantId } from '../../kernel/index.js';
import type { RoleToGive } from '../organizations/members/member-role.repository.js';
import { MembershipDirectory } from '../organizations/members/membership-directory.js';
import { OWNER } from '../organizations/roles/role-scopes.js';
import { RoleService } from '../organizations/roles/role.service.js';
import { SupportAccessService } from '../organizations/support-access/support-access.service.js';
import { type Candidate, RefusedLine } from './import-batch.js';

/** Finds what a line of an import may give in an organization. */
@Injectable()
export class ImportRoles {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly roles: RoleService,
    private readonly supportAccess: SupportAccessService,
  ) {}

  /**
   * @throws {RefusedLine} if the organization is not there, or has not all of the roles, and for an
   *   owner with an end
   */
  async find(
    tenantId: Locked<TenantId>,
    { roles: keys, until, roleEnds }: Candidate['memberships'][number],
  ): Promise<RoleToGive[]> {
    const state = await this.directory.findState(tenantId, true);
    if (!state || state.deletionStarted || state.archived)
      throw new RefusedLine('memberships names an organization that does not exist, or is archived');
    const ends = new Map(roleEnds?.map((end) => [end.key, endOf(end.until)]));
    if ([...ends.keys()].some((key) => !keys.includes(key)))
      throw new RefusedLine('memberships gives an end to a role that it does not name');
    if (keys.includes(OWNER) && (endOf(until) !== null || ends.has(OWNER)))
      throw new RefusedLine('memberships gives an owner an end');
    const roles = await this.roles.findByKeys(tenantId, keys);
    if (roles.length < new Set(keys).size)
      throw new RefusedLine('memberships names a role that the organization does not have');
    return roles.map(({ id, key }) => ({ id, until: ends.get(key) ?? null }));
  }

  /** @throws {RefusedLine} for an organization that does not let support in */
  async requireConsent(tenantId: Locked<TenantId>): Promise<void> {
    if (!(await this.supportAccess.findPermissionForShare(tenantId)))
      throw new RefusedLine('memberships names an organization that does not let support in');
  }
}

export const endOf = (until: string | null | undefined): Date | null =>
  until === null || until === undefined ? null : new Date(until);

/** @throws {RefusedLine} if a line names an organization twice */
export function requireEachOnce(memberships: Candidate['memberships']): void {
  if (new Set(memberships.map(({ tenantId }) => tenantId)).size < memberships.length)
    throw new RefusedLine('memberships has an organization twice');
}

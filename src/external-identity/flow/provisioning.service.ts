import { Injectable } from '@nestjs/common';
import { type Connection, provisionBy } from '../../connection/index.js';
import {
  MembershipLimit,
  MemberRoleService,
  MemberService,
  RoleService,
  TenantLock,
} from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { type ProvenProfile, SignInError } from '../providers/provider.js';

/** Role of a new member to whom no rule gives one. */
const MEMBER = 'member';

/**
 * Makes members of people who sign in by a connection, and gives them the roles of its rules. Runs
 * in the transaction that starts the session, so that its token has the roles. Roles that people
 * were given by hand or by a directory stay.
 */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly members: MemberService,
    private readonly memberRoles: MemberRoleService,
    private readonly roles: RoleService,
    private readonly limit: MembershipLimit,
    private readonly tenantLock: TenantLock,
  ) {}

  /**
   * Locks the tenant. The connection is not locked yet (lock order: account, tenant, connection).
   * @throws {SignInError} not_provisioned for a person who is no member and does not become one;
   *   groups_incomplete if the rules cannot tell, for a person who is no member, and for one whom
   *   rules admit
   */
  async provision(connection: Connection, userId: Locked<UserId>, profile: ProvenProfile): Promise<void> {
    const { tenantId, provisioning } = connection;
    const member = await this.members.find(tenantId, userId);
    if (member ? member.status !== 'active' : !provisioning.justInTime) throw notProvisioned();
    if (member && provisioning.syncRoles !== 'every-sign-in') return;
    const { outcome, roleIds: fromRules } = provisionBy(provisioning, connection.rules, profile);
    const isManual = member?.source === 'manual'; // then no rule has to match
    if (outcome === 'undecided') {
      if (member && (isManual || provisioning.onNoMatch !== 'refuse')) return;
      throw new SignInError('groups_incomplete');
    }
    if (outcome === 'refused' && !isManual) throw notProvisioned();
    const roleIds = await this.findRoles(tenantId, fromRules, isManual);
    if (member)
      await this.memberRoles.syncRoles({ tenantId, userId }, actorOf(connection), roleIds, 'connection');
    else await this.add(tenantId, userId, roleIds);
  }

  /**
   * Requires an active membership, or provisions one as {@link provision} does. Roles of a member
   * stay: an identity assertion names no groups, so that its claims would take roles away.
   * @throws {SignInError} as {@link provision}
   */
  async admit(connection: Connection, userId: Locked<UserId>, profile: ProvenProfile): Promise<void> {
    const member = await this.members.find(connection.tenantId, userId);
    if (member?.status !== 'active') await this.provision(connection, userId, profile);
  }

  private async add(tenantId: TenantId, userId: Locked<UserId>, roleIds: readonly string[]): Promise<void> {
    const locked = await this.tenantLock.lockForUpdate(tenantId);
    await this.members.add(locked, userId, roleIds, { source: 'connection' });
    await this.limit.requireWithinLimit(userId).catch((cause: unknown) => {
      throw new SignInError('not_provisioned', cause);
    });
  }

  /** Returns those of the roles that still exist, or else the role of a member. */
  private async findRoles(
    tenantId: TenantId,
    roleIds: readonly string[],
    isManual: boolean,
  ): Promise<readonly string[]> {
    const existing = await this.roles.findByIds(tenantId, roleIds);
    if (existing.length > 0 || isManual) return existing.map(({ id }) => id);
    return this.roles.findIds(tenantId, [MEMBER]);
  }
}

/** No account gives the roles: the connection does. */
const actorOf = ({ id }: Connection): UserId => id as UserId;

const notProvisioned = (): SignInError => new SignInError('not_provisioned');

import { Injectable } from '@nestjs/common';
import { type Connection, provisionBy } from '../../connection/index.js';
import { MembershipLimit, MemberService, RoleService } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
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
    private readonly roles: RoleService,
    private readonly limit: MembershipLimit,
  ) {}

  /**
   * Joins the open transaction, which holds the lock of the account and not yet that of the
   * connection (lock order: account, tenant, connection).
   * @throws {SignInError} not_provisioned for a person who is no member and does not become one
   */
  async provision(connection: Connection, userId: UserId, profile: ProvenProfile): Promise<void> {
    const { tenantId, provisioning } = connection;
    const member = await this.members.find(tenantId, userId);
    if (member ? member.status !== 'active' : !provisioning.justInTime) throw notProvisioned();
    if (member && provisioning.syncRoles !== 'every-sign-in') return;
    const roleIds = await this.findRoles(connection, profile, member?.source === 'manual');
    if (roleIds === null) throw notProvisioned();
    if (member)
      await this.members.syncRoles({ tenantId, userId }, actorOf(connection), roleIds, 'connection');
    else await this.add(tenantId, userId, roleIds);
  }

  private async add(tenantId: TenantId, userId: UserId, roleIds: readonly string[]): Promise<void> {
    await this.members.add(tenantId, userId, roleIds, { source: 'connection' });
    await this.limit.requireWithinLimit(userId).catch((cause: unknown) => {
      throw new SignInError('not_provisioned', cause);
    });
  }

  /**
   * @param isManual whether the person was added by hand: then no rule has to match
   * @returns null if the connection refuses the person
   */
  private async findRoles(
    { tenantId, provisioning, rules }: Connection,
    { attributes = {} }: ProvenProfile,
    isManual: boolean,
  ): Promise<readonly string[] | null> {
    const { roleIds, isRefused } = provisionBy(provisioning, rules, attributes);
    if (isRefused) return isManual ? [] : null;
    const existing = await this.roles.findByIds(tenantId, roleIds);
    if (existing.length > 0 || isManual) return existing.map(({ id }) => id);
    return this.roles.findIds(tenantId, [MEMBER]);
  }
}

/** No account gives the roles: the connection does. */
const actorOf = ({ id }: Connection): UserId => id as UserId;

const notProvisioned = (): SignInError => new SignInError('not_provisioned');

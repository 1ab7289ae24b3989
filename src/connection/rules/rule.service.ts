import { Injectable } from '@nestjs/common';
import { RoleService } from '../../iam/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ConnectionChanges } from '../changes/connection-changes.js';
import type { Connection, Rule } from '../connections/connection.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import { type Attributes, MAX_STARS, provisionBy, type Provisioned } from './rule-match.js';
import { RuleRepository } from './rule.repository.js';

/** A rule, with the keys of its roles. */
export interface GivenRule extends Omit<Rule, 'roleIds'> {
  readonly roles: readonly string[];
}

interface Preview extends Pick<Provisioned, 'outcome'> {
  readonly roles: readonly string[];
}

/** Manages the rules by which sign-ins give roles. The caller has checked the permission before. */
@Injectable()
export class RuleService {
  constructor(
    private readonly rules: RuleRepository,
    private readonly connections: ConnectionDirectory,
    private readonly roles: RoleService,
    private readonly changes: ConnectionChanges,
  ) {}

  /** @throws {AppError} not-found for an unknown connection */
  async list(tenantId: TenantId, connectionId: string): Promise<GivenRule[]> {
    const { rules } = await this.getConnection(tenantId, connectionId);
    const ids = rules.flatMap(({ roleIds }) => roleIds);
    const known = await this.roles.findByIds(tenantId, ids);
    return rules.map(({ roleIds, ...rule }) => ({
      ...rule,
      roles: known.filter(({ id }) => roleIds.includes(id)).map(({ key }) => key),
    }));
  }

  /**
   * Replaces the rules. They apply from the next sign-in on.
   * @throws {AppError} validation-error on `items[n].roles[m]` for a role that the caller cannot
   *   give, and on `items[n].value` for a pattern of many stars; not-found
   */
  async replace(
    tenantId: TenantId,
    caller: Principal,
    connectionId: string,
    rules: readonly GivenRule[],
  ): Promise<GivenRule[]> {
    await this.getConnection(tenantId, connectionId);
    requireFewStars(rules);
    const places = rules.flatMap(({ roles }, n) =>
      roles.map((key, m) => ({ key, field: `items[${n}].roles[${m}]` })),
    );
    const givable = await this.roles.requireGivableRoles(
      tenantId,
      caller,
      places.map(({ key }) => key),
      (n) => places[n]?.field ?? 'items',
    );
    const rows = rules.map(({ attribute, operator, value, roles }) => {
      const roleIds = givable.filter(({ key }) => roles.includes(key)).map(({ id }) => id);
      return { attribute, operator, value, roleIds };
    });
    await this.rules.replace(tenantId, connectionId, rows);
    await this.changes.record(tenantId, caller.userId, 'rules-changed', connectionId);
    return this.list(tenantId, connectionId);
  }

  /** Returns what a sign-in with these attributes would give. @throws {AppError} not-found */
  async preview(tenantId: TenantId, connectionId: string, attributes: Attributes): Promise<Preview> {
    const { provisioning, rules } = await this.getConnection(tenantId, connectionId);
    if (!provisioning.justInTime) return { roles: [], outcome: 'refused' };
    const { outcome, roleIds } = provisionBy(provisioning, rules, { attributes });
    const roles = await this.roles.findKeys(tenantId, roleIds);
    return { roles: outcome === 'admitted' && roles.length === 0 ? ['member'] : roles, outcome };
  }

  private async getConnection(tenantId: TenantId, id: string): Promise<Connection> {
    const connection = await this.connections.findUncached(id);
    if (connection?.tenantId !== tenantId) throw new AppError('not-found');
    return connection;
  }
}

/** @throws {AppError} validation-error for a pattern with more than {@link MAX_STARS} stars */
function requireFewStars(rules: readonly GivenRule[]): void {
  const violations = rules.flatMap(({ operator, value }, n) =>
    operator === 'matches' && value.split('*').length > MAX_STARS + 1
      ? [{ propertyPath: `items[${n}].value`, message: `must have at most ${MAX_STARS} stars` }]
      : [],
  );
  if (violations.length > 0) throw new AppError('validation-error', { violations });
}

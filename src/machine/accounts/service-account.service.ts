import { Injectable } from '@nestjs/common';
import { AuditTrail, namesOfGiven, OWNER, RoleService } from '../../iam/index.js';
import { newId, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { CredentialRepository } from '../keys/credential.repository.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import { MachineDirectory } from '../machine-directory.js';
import type {
  CreateServiceAccountDto,
  ServiceAccountsQuery,
  UpdateServiceAccountDto,
} from './service-account.dto.js';
import type { ServiceAccountStatus } from './service-account.entity.js';
import { type ServiceAccount, ServiceAccountRepository } from './service-account.repository.js';

/** Maximum number of service accounts of an organization. */
const MAX_ACCOUNTS = 200;

/** Manages service accounts. The caller has checked the permission before. */
@Injectable()
export class ServiceAccountService {
  constructor(
    private readonly accounts: ServiceAccountRepository,
    private readonly credentials: CredentialRepository,
    private readonly directory: MachineDirectory,
    private readonly keys: KeyIssuer,
    private readonly roles: RoleService,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page, filter: ServiceAccountsQuery): Promise<ServiceAccount[]> {
    const { query = null, status = null } = filter;
    return this.accounts.list(tenantId, page, { query, status });
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<ServiceAccount> {
    return (await this.accounts.find(tenantId, id)) ?? AppError.notFound();
  }

  /**
   * Creates a service account.
   * @throws {AppError} validation-error on `roles[n]` for an unknown role and that of an owner;
   *   forbidden for a role that holds more than the caller; conflict beyond {@link MAX_ACCOUNTS}
   */
  async create(
    tenantId: TenantId,
    caller: Principal,
    { name, description = null, contact = null, roles }: CreateServiceAccountDto,
  ): Promise<ServiceAccount> {
    const roleIds = await this.requireRoles(tenantId, caller, roles);
    if ((await this.accounts.count(tenantId)) >= MAX_ACCOUNTS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_ACCOUNTS} service accounts. Delete one that is not in use.`,
      });
    const id = newId();
    await this.accounts.insert(tenantId, {
      id,
      name,
      description,
      contact,
      createdBy: caller.userId,
      roleIds,
    });
    await this.record(tenantId, caller.userId, id, 'created');
    return this.get(tenantId, id);
  }

  /**
   * Changes the given fields.
   * @throws {AppError} as for {@link create}; not-found
   */
  async update(
    tenantId: TenantId,
    caller: Principal,
    id: string,
    given: UpdateServiceAccountDto,
  ): Promise<ServiceAccount> {
    const { roles, ...fields } = given;
    if (roles)
      await this.accounts.replaceRoles(tenantId, id, await this.requireRoles(tenantId, caller, roles));
    await this.accounts.update(tenantId, id, fields);
    await this.record(tenantId, caller.userId, id, 'updated', namesOfGiven(given));
    await this.directory.announce(id);
    return this.get(tenantId, id);
  }

  async setStatus(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    status: ServiceAccountStatus,
  ): Promise<ServiceAccount> {
    await this.accounts.setStatus(tenantId, id, status);
    await this.record(tenantId, actorId, id, status === 'active' ? 'enabled' : 'disabled');
    await this.directory.announce(id);
    return this.get(tenantId, id);
  }

  /** Deletes an account with its credentials. */
  async delete(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.keys.recordEnded(actorId, await this.credentials.endAllOf({ tenantId, ownerId: id }));
    await this.accounts.delete(tenantId, id);
    await this.record(tenantId, actorId, id, 'deleted');
    await this.directory.announce(id);
  }

  /** @returns the ids of the roles */
  private async requireRoles(
    tenantId: TenantId,
    caller: Principal,
    keys: readonly string[],
  ): Promise<string[]> {
    const violations = keys.flatMap((key, n): Violation[] =>
      key === OWNER
        ? [{ propertyPath: `roles[${n}]`, message: 'A service account cannot be an owner.' }]
        : [],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    const roles = await this.roles.requireRolesWithinReach(tenantId, caller, keys);
    return roles.map(({ id }) => id);
  }

  private record(
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    what: string,
    changed: readonly string[] = [],
  ): Promise<void> {
    const subject = `iam/service-accounts/${id}`;
    return this.audit.record({ actorId, tenantId, action: `service-account.${what}`, subject, changed });
  }
}

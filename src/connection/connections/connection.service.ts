import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid } from '../../ability/index.js';
import { RoleService } from '../../iam/index.js';
import { newId, type TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import type { FetchedMetadata } from '../metadata/metadata.interceptor.js';
import { certificatesOf, type ConnectionChanger, ConnectionChanges } from '../changes/connection-changes.js';
import type { WaitingChange } from '../changes/change.repository.js';
import { ConnectionCheck, type GivenSettings } from './connection-check.js';
import { type ConnectionKind, isInUse, type Provisioning } from './connection.js';
import { ConnectionEnforcement } from '../enforcement/connection-enforcement.js';
import { ConnectionReach } from './connection-reach.js';
import { ConnectionRepository, type ManagedConnection, NO_PROVISIONING } from './connection.repository.js';
import type { CreateConnectionDto, ProvisioningDto, UpdateConnectionDto } from './connection.dto.js';

/** Maximum number of connections of an organization. */
const MAX_CONNECTIONS = 50;

/** A connection, with the keys of its default roles, and what waits for an owner. */
export interface ShownConnection extends ManagedConnection {
  readonly defaultRoles: readonly string[];
  readonly waiting: readonly WaitingChange[];
}

/** Manages the settings of connections. The caller has checked the permission before. */
@Injectable()
export class ConnectionService {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly checks: ConnectionCheck,
    private readonly changes: ConnectionChanges,
    private readonly enforcement: ConnectionEnforcement,
    private readonly reach: ConnectionReach,
    private readonly roles: RoleService,
  ) {}

  async list(tenantId: TenantId, page: Page): Promise<ShownConnection[]> {
    return this.withRoles(tenantId, await this.connections.list(tenantId, page));
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<ShownConnection> {
    const found = await this.connections.find(tenantId, id);
    const [connection] = await this.withRoles(tenantId, found ? [found] : []);
    if (!connection) throw new AppError('not-found');
    return connection;
  }

  /**
   * Creates a draft, which signs people in once it was tested and activated.
   * @throws {AppError} validation-error on `settings.<field>` and `domainIds[n]`; conflict beyond
   *   {@link MAX_CONNECTIONS}
   */
  async create(
    tenantId: TenantId,
    caller: ConnectionChanger,
    { kind, name, domainIds = [], settings, provisioning, ...switches }: CreateConnectionDto,
    fetched: FetchedMetadata | null = null,
  ): Promise<ShownConnection> {
    const given = this.checks.check(kind, settings, undefined, fetched?.metadata);
    requireKind(kind, switches);
    await this.requireDomains(tenantId, domainIds);
    if ((await this.connections.countForUpdate(tenantId)) >= MAX_CONNECTIONS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_CONNECTIONS} connections. Delete one that is not in use.`,
      });
    const id = newId();
    await this.connections.insert(tenantId, id, kind, name);
    await this.connections.insertSettings(tenantId, id, given);
    await this.connections.assignDomains(tenantId, id, domainIds);
    if (provisioning) await this.setProvisioning(tenantId, caller, id, NO_PROVISIONING, provisioning);
    await this.connections.setSwitches(tenantId, id, switches);
    await this.changes.record(tenantId, caller.userId, 'created', id);
    return this.get(tenantId, id);
  }

  /**
   * Changes the given fields. Changed settings have to be tested: an active connection is a draft
   * until it is activated again. If the caller is no owner, those of a connection in use wait.
   * @throws {AppError} validation-error as {@link create}; not-found; forbidden for domains of
   *   people who hold more than the caller
   */
  async update(
    tenantId: TenantId,
    caller: ConnectionChanger,
    id: string,
    { name, domainIds, settings, provisioning, ...switches }: UpdateConnectionDto,
    fetched: FetchedMetadata | null = null,
  ): Promise<ShownConnection> {
    const current = await this.get(tenantId, id);
    const others = [name, domainIds, provisioning, ...Object.values(switches)];
    let isApplied = true;
    if (settings) {
      await this.enforcement.requireNotEnforced(tenantId, id);
      const given = this.checks.check(current.kind, settings, current.settings, fetched?.metadata);
      isApplied = await this.changeSettings(tenantId, caller, current, given);
    }
    requireKind(current.kind, switches);
    await this.connections.setSwitches(tenantId, id, switches);
    if (name !== undefined) await this.connections.rename(tenantId, id, name);
    if (domainIds) {
      await this.requireDomains(tenantId, domainIds);
      await this.connections.assignDomains(tenantId, id, domainIds);
      if (isInUse(current)) await this.requireNoneAbove(tenantId, caller, id);
    }
    if (provisioning) await this.setProvisioning(tenantId, caller, id, current.provisioning, provisioning);
    // Settings that only wait are recorded as requested.
    if (isApplied || others.some((one) => one !== undefined))
      await this.changes.record(tenantId, caller.userId, 'updated', id);
    return this.get(tenantId, id);
  }

  /** Applies settings that an owner has confirmed. @throws {AppError} conflict as {@link update} */
  async applySettings(
    tenantId: TenantId,
    owner: ConnectionChanger,
    id: string,
    given: GivenSettings,
  ): Promise<void> {
    await this.enforcement.requireNotEnforced(tenantId, id);
    await this.changeSettings(tenantId, owner, await this.get(tenantId, id), given);
    await this.changes.record(tenantId, owner.userId, 'updated', id);
  }

  /**
   * Changes settings, or has them wait for an owner if the connection is in use.
   * @returns whether they apply
   */
  private async changeSettings(
    tenantId: TenantId,
    caller: ConnectionChanger,
    current: ManagedConnection,
    given: GivenSettings,
  ): Promise<boolean> {
    const change = { kind: 'settings', given } as const;
    if (await this.changes.mustWait(tenantId, caller, current)) {
      await this.changes.request(tenantId, caller, current, change);
      return false;
    }
    await this.connections.updateSettings(tenantId, current.id, given);
    const added = certificatesOf(change).map(({ sha256 }) => sha256);
    await this.changes.tellOwners(tenantId, caller, current, { added });
    return true;
  }

  /**
   * Requires that no person who holds more than the caller can sign in by the connection with its
   * new domains. The policy has judged the domains of before.
   * @throws {AppError} forbidden
   */
  private async requireNoneAbove(tenantId: TenantId, caller: ConnectionChanger, id: string): Promise<void> {
    const isAbove =
      caller.kind === 'setup-link' || (await this.reach.findExceeding(caller, tenantId, [id], true)).has(id);
    if (isAbove) throw denialError(denyByState(forbid('connection.exceeds-caller')));
  }

  /** @throws {AppError} validation-error for a role that the caller cannot give */
  private async setProvisioning(
    tenantId: TenantId,
    caller: ConnectionChanger,
    id: string,
    current: Provisioning,
    { defaultRoles, ...changes }: ProvisioningDto,
  ): Promise<void> {
    if (caller.kind === 'setup-link') throw new AppError('forbidden');
    const fieldOf = (n: number) => `provisioning.defaultRoles[${n}]`;
    const roles =
      defaultRoles && (await this.roles.requireGivableRoles(tenantId, caller, defaultRoles, fieldOf));
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    await this.connections.setProvisioning(tenantId, id, {
      ...NO_PROVISIONING,
      ...current,
      ...Object.fromEntries(given),
      ...(roles && { defaultRoleIds: roles.map((role) => role.id) }),
    });
  }

  private async withRoles(
    tenantId: TenantId,
    connections: readonly ManagedConnection[],
  ): Promise<ShownConnection[]> {
    const idsOf = ({ provisioning }: ManagedConnection) => provisioning.defaultRoleIds ?? [];
    const roles = await this.roles.findByIds(tenantId, connections.flatMap(idsOf));
    const waiting = await this.changes.listOf(
      tenantId,
      connections.map(({ id }) => id),
    );
    return connections.map((connection) => ({
      ...connection,
      waiting: waiting.filter(({ connectionId }) => connectionId === connection.id),
      defaultRoles: roles.filter((role) => idsOf(connection).includes(role.id)).map(({ key }) => key),
    }));
  }

  private async requireDomains(tenantId: TenantId, ids: readonly string[]): Promise<void> {
    const known = await this.connections.findDomainsForShare(tenantId, ids);
    const violations = ids.flatMap((id, n): Violation[] =>
      known.includes(id)
        ? []
        : [{ propertyPath: `domainIds[${n}]`, message: 'is no domain of this organization' }],
    );
    if (violations.length > 0) throw new AppError('validation-error', { violations });
  }
}

/** @throws {AppError} validation-error for a switch of the other kind */
function requireKind(
  kind: ConnectionKind,
  { idpInitiated, identityAssertions }: Pick<UpdateConnectionDto, 'idpInitiated' | 'identityAssertions'>,
): void {
  if (idpInitiated === true && kind !== 'saml')
    throw AppError.violation('idpInitiated', 'is for connections by SAML');
  if (identityAssertions === true && kind !== 'oidc')
    throw AppError.violation('identityAssertions', 'is for connections by OpenID Connect');
}

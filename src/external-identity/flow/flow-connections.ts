import { Injectable } from '@nestjs/common';
import {
  areUndecided,
  type Connection,
  ConnectionDirectory,
  ConnectionHealth,
  METADATA_EXPIRED,
} from '../../connection/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import { domainOf } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Kind, MetadataExpired, type ProvenProfile, SignInError } from '../providers/provider.js';
import { FlowMetrics } from './flow-metrics.js';

/** A connection was changed during a sign-in, which is tried again. */
export class ConnectionChanged extends Error {}

/** Finds the connections of organizations that flows go through. */
@Injectable()
export class FlowConnections {
  constructor(
    private readonly directory: ConnectionDirectory,
    private readonly health: ConnectionHealth,
    private readonly memberships: MembershipDirectory,
    private readonly metrics: FlowMetrics,
  ) {}

  /**
   * Returns the connection that a flow starts with.
   * @throws {AppError} not-found unless it is active, of an organization that is not archived;
   *   validation-error on `connectionId` if it is of another kind
   */
  async getForStart(kind: Kind, id: string): Promise<Connection> {
    const connection = await this.findActive(id);
    if (!connection) throw notActive();
    if (connection.kind !== kind) throw AppError.violation('connectionId', 'is a connection of another kind');
    return connection;
  }

  /**
   * Locks a connection, as {@link confirm} does, for a link that it has vouched for before.
   * @returns whether it is still the authority for the address
   * @throws {AppError} not-found unless it is active
   */
  async isAuthorityForShare(id: string, email: string | null): Promise<boolean> {
    const found = await this.findActive(id);
    const connection = found && (await this.directory.findForShare(found.tenantId, id));
    if (connection?.status !== 'active') throw notActive();
    return email !== null && connection.domains.includes(domainOf(email));
  }

  /**
   * Returns the connection that a flow returns from.
   * @throws {SignInError} connection_disabled unless it is still active
   */
  async getForCallback(id: string): Promise<Connection> {
    return (await this.findActive(id)) ?? throwDisabled();
  }

  /** Finds an active connection whose provider may start sign-ins. */
  async findUnsolicited(id: string): Promise<Connection | null> {
    const connection = await this.findActive(id);
    return connection?.idpInitiated === true ? connection : null;
  }

  /**
   * Returns the connection of a test, in any state.
   * @throws {SignInError} connection_disabled if it was deleted since, or its organization archived
   */
  async getForTest(id: string): Promise<Connection> {
    return (await this.findUsable(id)) ?? throwDisabled();
  }

  /**
   * Reads an active connection from the database, for a transaction that ends with {@link confirm}.
   * @throws {SignInError} connection_disabled
   */
  async read(id: string): Promise<Connection> {
    await this.getForCallback(id);
    const connection = await this.directory.findUncached(id);
    return connection?.status === 'active' ? connection : throwDisabled();
  }

  /**
   * Locks the connection until the transaction ends, so that its domains, rules and state stay
   * those that the sign-in was judged by. After the locks of account and tenant (lock order).
   * @throws {ConnectionChanged} if it has changed since it was read
   */
  async confirm(connection: Connection): Promise<void> {
    const { tenantId, id } = connection;
    const locked = await this.directory.findForShare(tenantId, id);
    if (JSON.stringify(locked) !== JSON.stringify(connection)) throw new ConnectionChanged();
  }

  /** Records that a person has signed in. After the commit: sign-ins share the row's lock. */
  async recordSignIn(id: string, profile: ProvenProfile): Promise<void> {
    const connection = await this.directory.find(id);
    if (!connection) return;
    this.metrics.endedBy(connection, 'signed_in');
    const { tenantId, provisioning, rules } = connection;
    await this.health.recordSignIn(tenantId, id, usedCertificates(connection, profile));
    if (provisioning.syncRoles === 'every-sign-in' && areUndecided(rules, profile))
      await this.health.recordIncompleteGroups(tenantId, id);
  }

  /** Records, for the organization's administrators, that the groups of a person were not whole. */
  async recordIncompleteGroups(id: string): Promise<void> {
    const connection = await this.directory.find(id);
    if (connection) await this.health.recordIncompleteGroups(connection.tenantId, id);
  }

  /** Records why a sign-in was refused, for the organization's administrators. */
  async recordError(id: string, error: string): Promise<void> {
    const connection = await this.directory.find(id);
    if (!connection) return;
    this.metrics.endedBy(connection, error);
    await this.health.recordError(connection.tenantId, id, error);
  }

  private async findActive(id: string): Promise<Connection | null> {
    const connection = await this.findUsable(id);
    return connection?.status === 'active' ? connection : null;
  }

  private async findUsable(id: string): Promise<Connection | null> {
    const connection = await this.directory.find(id);
    if (!connection) return null;
    const state = await this.memberships.findState(connection.tenantId, false);
    return state?.archived === false ? connection : null;
  }
}

/** Returns the fingerprints of the connection's certificates that have signed the sign-in. */
function usedCertificates(connection: Connection, { signers = [] }: ProvenProfile): string[] {
  if (connection.kind !== 'saml') return [];
  const used = connection.settings.certificates.filter(({ certificate }) => signers.includes(certificate));
  return used.map(({ sha256 }) => sha256);
}

/** Returns what administrators learn of an error, where the person learns less; null otherwise. */
export function healthErrorOf(error: unknown): string | null {
  return error instanceof SignInError && error.cause instanceof MetadataExpired ? METADATA_EXPIRED : null;
}

const notActive = (): AppError =>
  new AppError('not-found', { detail: 'This connection does not exist, or is not active.' });

function throwDisabled(): never {
  throw new SignInError('connection_disabled');
}

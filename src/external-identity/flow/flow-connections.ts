import { Injectable } from '@nestjs/common';
import { type Connection, ConnectionDirectory, ConnectionHealth } from '../../connection/index.js';
import { MembershipDirectory } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type Kind, SignInError } from '../providers/provider.js';

/** Finds the connections of organizations that flows go through. */
@Injectable()
export class FlowConnections {
  constructor(
    private readonly directory: ConnectionDirectory,
    private readonly health: ConnectionHealth,
    private readonly memberships: MembershipDirectory,
  ) {}

  /**
   * Returns the connection that a flow starts with.
   * @throws {AppError} not-found unless it is active, of an organization that is not archived;
   *   validation-error on `connectionId` if it is of another kind
   */
  async getForStart(kind: Kind, id: string): Promise<Connection> {
    const connection = await this.findActive(id);
    if (!connection)
      throw new AppError('not-found', { detail: 'This connection does not exist, or is not active.' });
    if (connection.kind !== kind) throw AppError.violation('connectionId', 'is a connection of another kind');
    return connection;
  }

  /**
   * Returns the connection that a flow returns from.
   * @throws {SignInError} connection_disabled unless it is still active
   */
  async getForCallback(id: string): Promise<Connection> {
    return (await this.findActive(id)) ?? throwDisabled();
  }

  /**
   * Reads the connection from the database and locks it until the transaction ends, so that its
   * domains and its state stay those that the sign-in is judged by.
   * @throws {SignInError} connection_disabled
   */
  async getForShare(id: string): Promise<Connection> {
    const { tenantId } = await this.getForCallback(id);
    const connection = await this.directory.findForShare(tenantId, id);
    return connection?.status === 'active' ? connection : throwDisabled();
  }

  /**
   * Records the sign-in of a member of the connection's organization.
   * @throws {SignInError} not_provisioned
   */
  async recordSignIn({ tenantId, id }: Connection, userId: UserId): Promise<void> {
    if (!(await this.memberships.isMemberUncached(userId, tenantId)))
      throw new SignInError('not_provisioned');
    await this.health.recordSignIn(tenantId, id);
  }

  /** Records why a sign-in was refused, for the organization's administrators. */
  async recordError(id: string, error: string): Promise<void> {
    const connection = await this.directory.find(id);
    if (connection) await this.health.recordError(connection.tenantId, id, error);
  }

  private async findActive(id: string): Promise<Connection | null> {
    const connection = await this.directory.find(id);
    if (connection?.status !== 'active') return null;
    const state = await this.memberships.findState(connection.tenantId, false);
    return state?.archived === false ? connection : null;
  }
}

function throwDisabled(): never {
  throw new SignInError('connection_disabled');
}

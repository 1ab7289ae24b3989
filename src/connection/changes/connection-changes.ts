import { Injectable } from '@nestjs/common';
import { AuditTrail, MembershipDirectory } from '../../iam/index.js';
import type { Principal, TenantId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { isInUse } from '../connections/connection.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import type { ManagedConnection } from '../connections/connection.repository.js';
import { ChangeMails } from './change-mails.js';
import { type Change, ChangeRepository, type WaitingChange } from './change.repository.js';

/** Maximum number of changes of a connection that wait. */
const MAX_WAITING = 10;

/** Who changes a connection: a caller, or a set-up link, which gives no roles. */
export type ConnectionChanger = Principal | { readonly kind: 'setup-link'; readonly userId: UserId };

/** The provider of a connection, by its metadata; `userId` is the id of the connection. */
export interface ProviderItself {
  readonly kind: 'provider';
  readonly userId: UserId;
}

/**
 * Records changes of connections, and holds a change of what a connection in use accepts until an
 * owner confirms it (ADR 50).
 */
@Injectable()
export class ConnectionChanges {
  constructor(
    private readonly changes: ChangeRepository,
    private readonly memberships: MembershipDirectory,
    private readonly mails: ChangeMails,
    private readonly audit: AuditTrail,
    private readonly directory: ConnectionDirectory,
  ) {}

  /** Records a change that applies, and invalidates the connection on every replica. */
  async record(tenantId: TenantId, actorId: UserId, what: string, id: string): Promise<void> {
    const subject = `iam/connections/${id}`;
    await this.audit.record({ actorId, tenantId, action: `connection.${what}`, subject });
    await this.directory.announce(id);
  }

  /** Returns whether a change of certificates or settings waits: not those of an owner. */
  async mustWait(
    tenantId: TenantId,
    { kind, userId }: ConnectionChanger,
    connection: Pick<ManagedConnection, 'status' | 'activatedAt'>,
  ): Promise<boolean> {
    if (!isInUse(connection)) return false;
    return kind === 'setup-link' || !(await this.memberships.isOwner(userId, tenantId, true));
  }

  /**
   * Notes a change that waits, and mails the owners.
   * @throws {AppError} conflict beyond {@link MAX_WAITING}
   */
  async request(
    tenantId: TenantId,
    { kind, userId }: ConnectionChanger,
    { id: connectionId, settingsVersion }: Pick<ManagedConnection, 'id' | 'settingsVersion'>,
    change: Change,
  ): Promise<void> {
    const sha256 = certificatesOf(change).map((certificate) => certificate.sha256);
    const waiting = await this.changes.listOf(tenantId, [connectionId]);
    const isSame = (one: WaitingChange) =>
      change.kind === 'certificate' &&
      one.kind === change.kind &&
      one.sha256.join() === sha256.join() &&
      one.requestedBy === userId &&
      one.settingsVersion === settingsVersion;
    if (waiting.some(isSame)) return;
    if (waiting.length >= MAX_WAITING)
      throw new AppError('conflict', { reason: { id: 'connection.too-many-waiting' } });
    const by = { requestedBy: userId, bySetupLink: kind === 'setup-link', settingsVersion, sha256 };
    const changeId = await this.changes.insert(tenantId, connectionId, change, by);
    await this.recordWaiting(tenantId, userId, 'requested', { connectionId, id: changeId });
    await this.mails.queue({ tenantId, connectionId, actorId: userId, by: kind, waits: true, added: sha256 });
  }

  /** Takes a change that waits. @throws {AppError} not-found for one that does not wait any more */
  async take(tenantId: TenantId, connectionId: string, id: string): Promise<WaitingChange> {
    return (await this.changes.take(tenantId, connectionId, id)) ?? AppError.notFound();
  }

  /** Records what happens to a change that waits. */
  recordWaiting(
    tenantId: TenantId,
    actorId: UserId,
    what: 'requested' | 'confirmed' | 'refused',
    { connectionId, id: holderId }: Pick<WaitingChange, 'connectionId' | 'id'>,
  ): Promise<void> {
    const subject = `iam/connections/${connectionId}`;
    return this.audit.record({ actorId, tenantId, action: `connection.change-${what}`, subject, holderId });
  }

  listOf(tenantId: TenantId, connectionIds: readonly string[]): Promise<WaitingChange[]> {
    return this.changes.listOf(tenantId, connectionIds);
  }

  /** Mails the owners about a change of a connection in use that applies. */
  async tellOwners(
    tenantId: TenantId,
    { kind, userId }: ConnectionChanger | ProviderItself,
    connection: Pick<ManagedConnection, 'id' | 'status' | 'activatedAt'>,
    changed: { readonly added?: readonly string[]; readonly removed?: readonly string[] },
  ): Promise<void> {
    if (!isInUse(connection)) return;
    const by = { actorId: userId, by: kind, waits: false };
    await this.mails.queue({ tenantId, connectionId: connection.id, ...by, ...changed });
  }
}

/** Returns the certificates that a change would accept. */
export function certificatesOf(change: Change): readonly { readonly sha256: string }[] {
  if (change.kind === 'certificate') return [change.certificate];
  return change.given.kind === 'saml' ? (change.given.certificates ?? []) : [];
}

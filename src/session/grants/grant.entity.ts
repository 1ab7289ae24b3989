import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A refresh grant of a session and client; `generation` is the state of its rotation (ADR 3). */
@Entity('grants')
@Index('grants_session_idx', ['sessionId'])
export class GrantEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ type: 'int', default: 1 })
  readonly generation!: number;

  @Column(CREATED_AT)
  readonly rotatedAt!: Date;

  @Column(CREATED_AT)
  readonly lastUsedAt!: Date;

  @Column(TIMESTAMP)
  readonly idleExpiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly endedAt!: Date | null;

  /** Scopes of a grant of OpenID Connect; null for one of an app or satellite. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly grantedScopes!: string[] | null;

  /** Thumbprint of the key that its tokens are bound to (RFC 9449); null if to none. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly dpopJkt!: string | null;

  /**
   * Shared station of the session; null for any other. `dpopJkt` is then its key: a refresh needs a
   * proof of it, and a request does not.
   */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly stationId!: string | null;
}

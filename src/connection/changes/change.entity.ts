import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

export const CHANGE_KINDS = ['certificate', 'settings'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change of a connection in use that waits for an owner of the organization. */
@Entity('connection_changes')
@Index('connection_changes_connection_idx', ['tenantId', 'connectionId'])
@Index('connection_changes_expiry_idx', ['expiresAt'])
export class ChangeEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @Column(BYTEWISE_TEXT)
  readonly kind!: ChangeKind;

  /** Version of the settings of the connection at the request: it applies to no other. */
  @Column({ type: 'integer' })
  readonly settingsVersion!: number;

  /** Fingerprints of the certificates that it would accept, in lower case hex. */
  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly sha256!: string[];

  /** Sealed, because settings can hold the secret of a client. */
  @Column({ type: 'text' })
  readonly sealedChange!: string;

  /** Person, or set-up link. */
  @Column(BYTEWISE_TEXT)
  readonly requestedBy!: UserId;

  @Column({ type: 'boolean' })
  readonly bySetupLink!: boolean;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../../platform/database/index.js';

/** Status of an invitation. */
export const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** An invitation of an address to a tenant, with the hash of its mailed token. */
@Entity('invitations')
@Unique('invitations_token_unique', ['tokenHash'])
@Index('invitations_email_idx', ['emailKey', 'tenantId'])
@Index('invitations_address_idx', ['tenantId', 'emailKey', 'id'])
@Index('invitations_expires_idx', ['expiresAt'])
export class InvitationEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly email!: string;

  @Column(BYTEWISE_TEXT)
  readonly emailKey!: string;

  @Column({ type: 'text', array: true })
  readonly roleIds!: string[];

  @Column({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly invitedBy!: UserId;

  /** Whether an operator has it sent by an import, as the organization allows support to. */
  @Column('boolean', { default: false })
  readonly ofSupport!: boolean;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly acceptedAt!: Date | null;

  /** Time at which its expiry was told to subscribers; null if it was not. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly expiryNotedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly revokedAt!: Date | null;
}

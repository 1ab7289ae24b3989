import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** What a person has decided about a device. */
export type DeviceStatus = 'waiting' | 'approved' | 'denied';

/** A device that waits for a person (RFC 8628), by the hash of its code. */
@Entity('oidc_devices')
@Unique('oidc_devices_user_code_unique', ['userCodeHash'])
@Index('oidc_devices_client_idx', ['clientId'])
@Index('oidc_devices_expiry_idx', ['expiresAt'])
@Index('oidc_devices_session_idx', ['sessionId'])
export class DeviceAuthorizationEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly deviceHash!: Buffer;

  /** Keyed hash of the code that the person enters: eight letters could be tried out. */
  @Column({ type: 'bytea' })
  readonly userCodeHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];

  @Column({ ...BYTEWISE_TEXT, default: () => "'waiting'::text" })
  readonly status!: DeviceStatus;

  /** Session in which the person has approved; null before. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id', nullable: true })
  readonly userId!: UserId | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** Seconds that the device waits between two requests. */
  @Column({ type: 'int' })
  readonly intervalSeconds!: number;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly polledAt!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

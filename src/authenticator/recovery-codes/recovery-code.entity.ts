import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** An unused recovery code, by its keyed hash. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** As of the authenticator that it stands in for. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly assuredBy!: TenantId | null;
}

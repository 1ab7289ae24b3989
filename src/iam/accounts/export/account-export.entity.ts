import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../../platform/database/index.js';

/** An export of what is kept about a person, sealed; empty until its job has run. */
@Entity('account_exports')
@Index('account_exports_expiry_idx', ['expiresAt'])
export class AccountExportEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text', nullable: true })
  readonly sealed!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** An erasure that an operator asked for, and that a second one has to confirm. */
@Entity('erasure_requests')
@Index('erasure_requests_expiry_idx', ['expiresAt'])
export class ErasureRequestEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  /** Operator who asked for it. */
  @Column(BYTEWISE_TEXT)
  readonly operatorId!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** An import of members that an operator asked for, and that a second one has to confirm. */
@Entity('import_requests')
@Index('import_requests_expiry_idx', ['expiresAt'])
export class ImportRequestEntity {
  /** SHA-256 of the part of the file. */
  @PrimaryColumn({ type: 'bytea' })
  readonly digest!: Buffer;

  /** Operator who asked for it. */
  @Column(BYTEWISE_TEXT)
  readonly operatorId!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** An import of a file, part by part or by the command line, with what it has done. */
@Entity('import_runs')
@Index('import_runs_updated_idx', ['updatedAt'])
export class ImportRunEntity {
  /** The operator's browser or program chooses it, and sends it with each part. */
  @PrimaryColumn({ ...BYTEWISE_TEXT, primaryKeyConstraintName: 'import_runs_pkey' })
  readonly id!: string;

  /** Null for the command line. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly operatorId!: UserId | null;

  @Column({ type: 'text' })
  readonly fileName!: string;

  @Column({ type: 'integer', default: 0 })
  readonly imported!: number;

  @Column({ type: 'integer', default: 0 })
  readonly invited!: number;

  @Column({ type: 'integer', default: 0 })
  readonly unchanged!: number;

  @Column({ type: 'integer', default: 0 })
  readonly failed!: number;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Time of the last part. */
  @Column(CREATED_AT)
  readonly updatedAt!: Date;
}

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

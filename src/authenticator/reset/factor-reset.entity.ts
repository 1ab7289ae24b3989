import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A reset of a person's second factors by an operator: at most one waits for each account. */
@Entity('factor_resets')
@Unique('factor_resets_token_key', ['tokenHash'])
@Index('factor_resets_ended_idx', ['endedAt'])
export class FactorResetEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Null for the command line. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly requestedBy!: UserId | null;

  @Column({ type: 'text' })
  readonly reason!: string;

  /** Of the token by which the mail cancels it. */
  @Column({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly effectiveAt!: Date;

  /** When it was carried out or cancelled. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly endedAt!: Date | null;
}

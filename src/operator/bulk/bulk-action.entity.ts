import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

export const BULK_KINDS = ['end-sessions', 'resend-mails'] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

/** `stopped`: the operator lost the permission before it had ended. */
export const BULK_STATES = ['running', 'finished', 'stopped'] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** What an operator does for many people, with its progress. Its job holds whom it is for. */
@Entity('bulk_actions')
@Index('bulk_actions_created_idx', ['createdAt'])
export class BulkActionEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, primaryKeyConstraintName: 'bulk_actions_pkey' })
  readonly id!: string;

  /** Operator or program of the platform. */
  @Column(BYTEWISE_TEXT)
  readonly operatorId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly kind!: BulkKind;

  /** Organization whose members it is for; null for selected people. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ ...BYTEWISE_TEXT, default: () => "'running'::text" })
  readonly state!: BulkState;

  /** People when it was started. Members may join or leave in the meantime. */
  @Column({ type: 'integer' })
  readonly total!: number;

  @Column({ type: 'integer', default: 0 })
  readonly done!: number;

  /** People who are gone or operators, or who have no mail to send again. */
  @Column({ type: 'integer', default: 0 })
  readonly skipped!: number;

  /** People for whom it failed. */
  @Column({ type: 'integer', default: 0 })
  readonly failed!: number;

  /** Last person that it has come to, in order of id. */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly lastId!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /** Time of the last person, or of the end. */
  @Column(CREATED_AT)
  readonly updatedAt!: Date;
}

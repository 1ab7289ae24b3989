import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** A call of a directory, kept for 14 days. */
@Entity('directory_log')
@Index('directory_log_at_idx', ['at'])
export class DirectoryLogEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(CREATED_AT)
  readonly at!: Date;

  @Column(BYTEWISE_TEXT)
  readonly method!: string;

  /** Below the base address, without the query, which may hold addresses. */
  @Column(BYTEWISE_TEXT)
  readonly path!: string;

  @Column({ type: 'int' })
  readonly status!: number;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly scimType!: string | null;

  /** Reason of a refusal. Sealed, because it may name a person. */
  @Column({ type: 'text', nullable: true })
  readonly sealedExcerpt!: string | null;
}

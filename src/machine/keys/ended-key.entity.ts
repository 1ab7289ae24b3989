import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/**
 * Why a key was ended: by a member or program of the organization, by an operator of the service,
 * or because it was reported as found in public.
 */
export const KEY_END_REASONS = ['revoked', 'operator', 'leaked'] as const;
export type KeyEndReason = (typeof KEY_END_REASONS)[number];

/** A revoked key of a service account, without its hash. */
@Entity('ended_keys')
@Index('ended_keys_ended_idx', ['endedAt'])
export class EndedKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Public part of the key. */
  @Column(BYTEWISE_TEXT)
  readonly lookup!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly networks!: string[];

  @Column(TIMESTAMP)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  @Column(CREATED_AT)
  readonly endedAt!: Date;

  /** Person or service account of the organization; null for an operator or a report. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly endedBy!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly reason!: KeyEndReason;
}

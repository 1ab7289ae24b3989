import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** Place of an event of the audit trail in its chain (ADR 59). Append-only. */
@Entity('audit_entries')
@Index('audit_entries_event_idx', ['eventId'], { unique: true })
export class AuditEntryEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** From 1, without gaps, in the order in which events become visible. */
  @PrimaryColumn({ type: 'bigint' })
  readonly sequence!: string;

  @Column(BYTEWISE_TEXT)
  readonly eventId!: string;

  /** Salted hash of the details, which an erasure removes with the salt; null for none. */
  @Column({ type: 'bytea', nullable: true })
  readonly detailsHash!: Buffer | null;

  /** Hash of the entry before, the number, the hash of the details and the event. */
  @Column({ type: 'bytea' })
  readonly hash!: Buffer;
}

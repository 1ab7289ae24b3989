import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../database/index.js';

/** Stream of the events of an organization, or of the platform, whose tenant is the empty text. */
@Entity('event_streams')
export class EventStreamEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Sequence number of its last event. */
  @Column({ type: 'bigint' })
  readonly last!: string;
}

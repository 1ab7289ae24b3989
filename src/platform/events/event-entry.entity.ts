import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../database/index.js';

/** Place of an event in the stream of an organization. Partitioned by month, as the events are. */
@Entity('event_entries')
@Index('event_entries_created_idx', ['createdAt'])
export class EventEntryEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Given in the order in which events become visible. */
  @PrimaryColumn({ type: 'bigint' })
  readonly sequence!: string;

  /** Time of the event. */
  @PrimaryColumn(TIMESTAMP)
  readonly createdAt!: Date;

  @Column(BYTEWISE_TEXT)
  readonly eventId!: string;
}

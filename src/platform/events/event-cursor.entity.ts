import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, XID8 } from '../database/index.js';

/** Last event that a consumer of all events has read. */
@Entity('event_cursors')
export class EventCursorEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly consumer!: string;

  @Column(XID8)
  readonly xid!: string;

  @Column({ type: 'bigint' })
  readonly seq!: string;
}

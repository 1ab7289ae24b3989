import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, XID8 } from '../../platform/database/index.js';

/** Last event of the audit trail that a consumer has read. */
@Entity('audit_cursors')
export class AuditCursorEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly consumer!: string;

  @Column(XID8)
  readonly xid!: string;

  @Column(BYTEWISE_TEXT)
  readonly eventId!: string;
}

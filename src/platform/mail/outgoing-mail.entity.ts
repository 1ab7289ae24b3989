import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../database/index.js';

/** A mail that waits to be sent, sealed; empty once it is sent. */
@Entity('outgoing_mails')
@Index('outgoing_mails_expiry_idx', ['expiresAt'])
@Index('outgoing_mails_recipient_idx', ['recipientKey', 'kind', 'createdAt'])
export class OutgoingMailEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'bytea' })
  readonly recipientKey!: Buffer;

  @Column({ type: 'text' })
  readonly kind!: string;

  @Column({ type: 'text', nullable: true })
  readonly sealed!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ type: 'bytea', nullable: true })
  readonly networkKey!: Buffer | null;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../database/index.js';

/** A mail, sealed: one that waits to be sent, or that can be sent again until it expires. */
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

  /** Content of a mail that was sent or refused, sealed, so that an operator can send it again. */
  @Column({ type: 'text', nullable: true })
  readonly kept!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ type: 'bytea', nullable: true })
  readonly networkKey!: Buffer | null;

  /** Whether a stranger can cause such a mail to any address. */
  @Column({ type: 'boolean', default: false })
  readonly unsolicited!: boolean;
}

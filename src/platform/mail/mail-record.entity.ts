import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../database/index.js';

/** What became of a mail, without its content. Has the id of the mail. */
@Entity('mail_records')
@Index('mail_records_recipient_idx', ['recipientKey', 'id'])
@Index('mail_records_created_idx', ['createdAt'])
export class MailRecordEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'bytea' })
  readonly recipientKey!: Buffer;

  @Column({ type: 'text' })
  readonly kind!: string;

  /** `deferred`: the mail server was unavailable, or asked to try again. */
  @Column({ type: 'text' })
  readonly state!: 'sent' | 'deferred' | 'refused';

  @Column({ type: 'int' })
  readonly attempts!: number;

  /** What the mail server said last, without the address; null for the mail folder. */
  @Column({ type: 'text', nullable: true })
  readonly reply!: string | null;

  /** Time at which the mail was queued. */
  @Column(TIMESTAMP)
  readonly createdAt!: Date;

  @Column(CREATED_AT)
  readonly updatedAt!: Date;
}

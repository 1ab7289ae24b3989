import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../platform/database/index.js';

/** A mailed code of six digits, by keyed hashes of what it is for and of its digits. */
@Entity('email_codes')
@Index('email_codes_expiry_idx', ['expiresAt'])
export class EmailCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly subjectKey!: Buffer;

  @Column({ type: 'bytea' })
  readonly codeHash!: Buffer;

  /** Tries, the right one included. */
  @Column({ type: 'int', default: 0 })
  readonly failures!: number;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** Link code of a completed flow, by its hash, with the proven identity sealed. */
@Entity('external_link_codes')
@Index('external_link_codes_account_idx', ['userId'])
@Index('external_link_codes_expiry_idx', ['expiresAt'])
export class LinkCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column(BYTEWISE_TEXT)
  readonly sealed!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

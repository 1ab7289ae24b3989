import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** The state of a flow whose browser carries only a key of it, by the hash of that key. */
@Entity('external_states')
@Index('external_states_account_idx', ['userId'])
@Index('external_states_expiry_idx', ['expiresAt'])
export class ExternalStateEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly keyHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id', nullable: true })
  readonly userId!: UserId | null;

  @Column(BYTEWISE_TEXT)
  readonly state!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A network from which an account has signed in, by keyed hash. */
@Entity('known_networks')
@Index('known_networks_expiry_idx', ['expiresAt'])
export class KnownNetworkEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn({ type: 'bytea' })
  readonly networkKey!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

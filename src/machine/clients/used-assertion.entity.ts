import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../platform/database/index.js';

/** Assertion that has authenticated a client, so that it cannot do so again. */
@Entity('used_assertions')
@Index('used_assertions_expiry_idx', ['expiresAt'])
export class UsedAssertionEntity {
  /** SHA-256 of the client and the `jti` of the assertion. */
  @PrimaryColumn({ type: 'bytea' })
  readonly assertionHash!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../platform/database/index.js';

/** A finished ceremony, which cannot be finished again. */
@Entity('spent_ceremonies')
@Index('spent_ceremonies_expiry_idx', ['expiresAt'])
export class SpentCeremonyEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly flowId!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

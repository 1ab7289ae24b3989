import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../../platform/database/index.js';

/** A slug of an organization that is gone, by keyed hash: without the key, it names no company. */
@Entity('retired_slugs')
@Index('retired_slugs_expiry_idx', ['expiresAt'])
export class RetiredSlugEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly slugKey!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

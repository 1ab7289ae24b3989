import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/**
 * A form posted by a provider, sealed, until the browser follows the redirect. Slot and network are
 * keyed hashes.
 */
@Entity('external_forms')
@Index('external_forms_expiry_idx', ['expiresAt'])
@Index('external_forms_network_idx', ['network', 'expiresAt'])
@Index('external_forms_slot_idx', ['slot'], { unique: true })
export class FormPostEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly keyHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly sealed!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ type: 'bytea', nullable: true })
  readonly slot!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  readonly network!: Buffer | null;

  @Column({ type: 'int', nullable: true })
  readonly bytes!: number | null;
}

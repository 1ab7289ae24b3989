import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../platform/database/index.js';

/** A proof of a provider that has been used, by its hash, kept so that it counts once. */
@Entity('external_proofs')
@Index('external_proofs_expiry_idx', ['expiresAt'])
export class ExternalProofEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly proofHash!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TIMESTAMP } from '../../platform/database/index.js';

/** A used proof of a provider, by its hash, kept until the proof expires to detect replays. */
@Entity('external_proofs')
@Index('external_proofs_expiry_idx', ['expiresAt'])
export class ExternalProofEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly proofHash!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A completed flow, kept until its state expires, so that a flow is completed once only. */
@Entity('external_flows')
@Index('external_flows_expiry_idx', ['expiresAt'])
export class ExternalFlowEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

/** A used proof of a provider, by its hash, kept until the proof expires to detect replays. */
@Entity('external_proofs')
@Index('external_proofs_expiry_idx', ['expiresAt'])
export class ExternalProofEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly proofHash!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

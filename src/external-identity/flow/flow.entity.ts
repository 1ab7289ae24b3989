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

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** A flow that has been completed, kept so that it is completed once. */
@Entity('external_flows')
@Index('external_flows_expiry_idx', ['expiresAt'])
export class ExternalFlowEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

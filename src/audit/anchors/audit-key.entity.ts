import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/**
 * Public half of a signing key that has signed anchors, for as long as they are kept. Sealed, so
 * that an owner of the database cannot add a key.
 */
@Entity('audit_keys')
export class AuditKeyEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly kid!: string;

  @Column({ type: 'text' })
  readonly sealedPublicJwk!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Scopes that a person has allowed a third-party client. */
@Entity('oidc_consents')
@Index('oidc_consents_client_idx', ['clientId'])
export class ConsentEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];

  @Column(CREATED_AT)
  readonly grantedAt!: Date;
}

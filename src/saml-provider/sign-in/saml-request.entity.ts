import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';
import type { NameIdFormat } from '../clients/saml-values.js';

/** A request of an app, by the hash of its id: one that is sent again is refused. */
@Entity('saml_requests')
@Unique('saml_requests_state_unique', ['stateHash'])
@Index('saml_requests_expiry_idx', ['expiresAt'])
export class SamlRequestEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @PrimaryColumn({ type: 'bytea' })
  readonly requestHash!: Buffer;

  /** Of the state of the authorization request, which is the code verifier too. */
  @Column({ type: 'bytea' })
  readonly stateHash!: Buffer;

  /** Null for a sign-in that began at this service. */
  @Column({ type: 'text', nullable: true })
  readonly requestId!: string | null;

  /** Address for the response. */
  @Column({ type: 'text' })
  readonly consumer!: string;

  @Column({ type: 'text', nullable: true })
  readonly relayState!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly nameIdFormat!: NameIdFormat;

  @Column({ type: 'boolean' })
  readonly allowCreate!: boolean;

  @Column({ type: 'text', nullable: true })
  readonly authnContext!: string | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly answeredAt!: Date | null;

  /** Time from which the request is too old to be sent again. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

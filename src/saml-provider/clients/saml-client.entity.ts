import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';
import type { Consumer, LogoutBinding, NameIdFormat, ReleasedAttribute } from './saml-values.js';

/** Settings of SAML of a client of the registry, whose redirect URIs are its consumers. */
@Entity('saml_clients')
export class SamlClientEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  /** Its entity id, which other clients of this service may have as well. */
  @Column(BYTEWISE_TEXT)
  readonly entityId!: string;

  /** Where responses are posted; the first one by default. */
  @Column({ type: 'jsonb' })
  readonly consumers!: Consumer[];

  /** The only ones that verify its signatures, in PEM. */
  @Column({ type: 'text', array: true })
  readonly certificates!: string[];

  @Column({ type: 'boolean' })
  readonly requireSignedRequests!: boolean;

  /** Of a request that asks for none. */
  @Column(BYTEWISE_TEXT)
  readonly nameIdFormat!: NameIdFormat;

  @Column({ type: 'jsonb' })
  readonly attributes!: ReleasedAttribute[];

  /** Where a browser brings responses to its requests for a logout. */
  @Column({ type: 'text', nullable: true })
  readonly logoutUrl!: string | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly logoutBinding!: LogoutBinding | null;

  /** Whether a sign-in may begin here, without a request. */
  @Column({ type: 'boolean' })
  readonly idpInitiated!: boolean;

  /** Of such a sign-in: where the app goes on. */
  @Column({ type: 'text', nullable: true })
  readonly defaultRelayState!: string | null;
}

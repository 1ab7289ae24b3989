import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';
import type { NameIdFormat } from '../clients/saml-values.js';

/** What a client was told last about a session, by which requests for a logout name it. */
@Entity('saml_sessions')
@Index('saml_sessions_name_idx', ['clientId', 'nameId'])
@Index('saml_sessions_session_idx', ['sessionId'])
export class SamlSessionEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly clientId!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column(BYTEWISE_TEXT)
  readonly sessionIndex!: string;

  @Column(BYTEWISE_TEXT)
  readonly nameIdFormat!: NameIdFormat;

  @Column(BYTEWISE_TEXT)
  readonly nameId!: string;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Acr, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/**
 * `query` of the redirect URI, its fragment, or a form that the browser posts to it. `saml` is of
 * requests by SAML, whose answer the browser brings to this service.
 */
export type ResponseMode = 'query' | 'fragment' | 'form_post' | 'saml';

/** An authorization request that has been checked, by the hash of its id. */
@Entity('oidc_requests')
@Index('oidc_requests_client_idx', ['clientId'])
@Index('oidc_requests_expiry_idx', ['expiresAt'])
export class AuthorizationRequestEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly requestHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  /** Whether it was pushed, and no browser has brought it yet (RFC 9126). */
  @Column({ type: 'boolean' })
  readonly pushed!: boolean;

  @Column({ type: 'text' })
  readonly redirectUri!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];

  @Column({ type: 'text', nullable: true })
  readonly state!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly nonce!: string | null;

  /** How the answer is returned (OAuth 2.0 Multiple Response Type Encoding Practices). */
  @Column({ ...BYTEWISE_TEXT, default: () => "'query'::text" })
  readonly responseMode!: ResponseMode;

  /** Empty without PKCE. */
  @Column(BYTEWISE_TEXT)
  readonly codeChallenge!: string;

  @Column({ type: 'text', array: true })
  readonly prompts!: string[];

  /** Seconds. */
  @Column({ type: 'int', nullable: true })
  readonly maxAge!: number | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly acr!: Acr | null;

  @Column({ type: 'text', nullable: true })
  readonly loginHint!: string | null;

  /** Languages of the page, in order of preference (`ui_locales`). */
  @Column({ type: 'text', nullable: true })
  readonly uiLocales!: string | null;

  /** Key to which the client binds the code (RFC 9449 section 10). */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly dpopJkt!: string | null;

  /** Person whom the client expects, by `id_token_hint`. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subjectHint!: UserId | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

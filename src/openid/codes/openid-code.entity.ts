import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** An authorization code of OpenID Connect, by its hash. */
@Entity('oidc_codes')
@Index('oidc_codes_client_idx', ['clientId'])
@Index('oidc_codes_expiry_idx', ['expiresAt'])
@Index('oidc_codes_session_idx', ['sessionId'])
export class OpenIdCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ type: 'text' })
  readonly redirectUri!: string;

  @Column(BYTEWISE_TEXT)
  readonly codeChallenge!: string;

  @Column({ type: 'text', array: true })
  readonly scopes!: string[];

  /** Removed when it is consumed. */
  @Column({ type: 'text', nullable: true })
  readonly nonce!: string | null;

  /** Key to which the client has bound it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly dpopJkt!: string | null;

  /** Grant that it gave, which a second use ends. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly grantId!: string | null;

  /** A minute after it was issued; once it gave a grant, when its session expires. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly consumedAt!: Date | null;
}

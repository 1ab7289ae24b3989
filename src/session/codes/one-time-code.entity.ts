import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** Who exchanges a code: a satellite, an app after a hosted sign-in, a client of OpenID Connect. */
export type CodePurpose = 'satellite' | 'hosted' | 'openid';

/** A one-time code by which a further client joins a session, by its hash (ADR 12, 31, 52). */
@Entity('one_time_codes')
@Index('one_time_codes_client_idx', ['clientId'])
@Index('one_time_codes_expiry_idx', ['expiresAt'])
@Index('one_time_codes_session_idx', ['sessionId'])
export class OneTimeCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly purpose!: CodePurpose;

  /** Null for the first-party client, which is not registered. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly clientId!: string | null;

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

  /** Scopes of OpenID Connect; null for other codes. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly scopes!: string[] | null;

  /** Of an authorization request; removed when the code is consumed. */
  @Column({ type: 'text', nullable: true })
  readonly nonce!: string | null;

  /** Key to which the client has bound it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly dpopJkt!: string | null;

  /** Id of the grant that it gives. */
  @Column(BYTEWISE_TEXT)
  readonly grantId!: string;

  /** A minute after it was issued; once used, of OpenID Connect, when its session expires. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly consumedAt!: Date | null;
}

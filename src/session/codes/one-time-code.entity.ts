import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** Who joins a session by a code: a satellite, an app after a hosted sign-in, an OpenID client. */
export type JoiningPurpose = 'satellite' | 'hosted' | 'openid';

/** What a code of an account completes: an external sign-in, or the linking of an identity. */
export type AccountPurpose = 'external' | 'link';

/** A one-time code, by its hash (ADR 12, 13, 15, 31, 52). */
@Entity('one_time_codes')
@Index('one_time_codes_client_idx', ['clientId'])
@Index('one_time_codes_expiry_idx', ['expiresAt'])
@Index('one_time_codes_session_idx', ['sessionId'])
export class OneTimeCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column(BYTEWISE_TEXT)
  readonly purpose!: JoiningPurpose | AccountPurpose;

  /** Null for the first-party client, which is not registered, and for codes of accounts. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly clientId!: string | null;

  /** The session to join, or that links; of an external sign-in, the one that it has started. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** Null for codes of accounts. */
  @Column({ type: 'text', nullable: true })
  readonly redirectUri!: string | null;

  /** Null for codes that link identities; empty for a client that sent none. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly codeChallenge!: string | null;

  /** Scopes of OpenID Connect; null for other codes. */
  @Column({ type: 'text', array: true, nullable: true })
  readonly scopes!: string[] | null;

  /** Of an authorization request; removed when the code is consumed. */
  @Column({ type: 'text', nullable: true })
  readonly nonce!: string | null;

  /** Key to which the client has bound it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly dpopJkt!: string | null;

  /** Id of the grant that it gives; null for codes of accounts. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly grantId!: string | null;

  /** What a code of an account stands for; removed when the code is consumed. */
  @Column({ type: 'jsonb', nullable: true })
  readonly content!: unknown;

  /** A minute after it was issued; once used, of OpenID Connect, when its session expires. */
  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly consumedAt!: Date | null;
}

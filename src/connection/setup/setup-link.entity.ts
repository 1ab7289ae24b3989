import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { ScopePredicate } from '../../ability/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** What a set-up link is for. */
export const SETUP_INTENTS = ['sso', 'domain', 'directory', 'certificate'] as const;
export type SetupIntent = (typeof SETUP_INTENTS)[number];

/** A link by which an IT contact without an account sets up a connection. */
@Entity('setup_links')
@Unique('setup_links_token_unique', ['tokenHash'])
@Index('setup_links_connection_idx', ['tenantId', 'connectionId'])
@Index('setup_links_directory_idx', ['tenantId', 'directoryId'])
@Index('setup_links_expiry_idx', ['expiresAt'])
export class SetupLinkEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'bytea' })
  readonly tokenHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, array: true })
  readonly intents!: SetupIntent[];

  /** The only connection that it reaches; null until it has created one. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly connectionId!: string | null;

  /** The only directory that it reaches; null until it has created one. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly directoryId!: string | null;

  @Column(BYTEWISE_TEXT)
  readonly createdBy!: UserId;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly revokedAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;
}

/** Scopes that the creator of a link must hold, when it is created and at each use. */
export const SCOPES_OF_INTENTS: Readonly<Record<SetupIntent, readonly string[]>> = {
  sso: ['iam:connection:create', 'iam:connection:update', 'iam:connection:test', 'iam:domain:read'],
  domain: ['iam:domain:create', 'iam:domain:verify'],
  directory: ['iam:directory:create', 'iam:directory-token:create'],
  certificate: ['iam:connection:update'],
};

/** Returns the intents whose scopes a member holds. @param holds null for no member */
export function intentsOf(intents: readonly SetupIntent[], holds: ScopePredicate | null): SetupIntent[] {
  return intents.filter((intent) => SCOPES_OF_INTENTS[intent].every((scope) => holds?.(scope) === true));
}

import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SessionId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';
import type { Kind } from '../providers/provider.js';

/** An identity of an account at an external provider. */
@Entity('external_identities')
@Unique('external_identities_subject_unique', ['connectionId', 'issuer', 'subject'])
@Index('external_identities_account_idx', ['userId', 'id'])
@Index('external_identities_connection_idx', ['connectionId', 'userId'])
export class ExternalIdentityEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly kind!: Kind;

  /** `env:<kind>` for a provider of the environment. */
  @Column(BYTEWISE_TEXT)
  readonly connectionId!: string;

  @Column(BYTEWISE_TEXT)
  readonly issuer!: string;

  @Column(BYTEWISE_TEXT)
  readonly subject!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(CREATED_AT)
  readonly lastUsedAt!: Date;

  /**
   * Whether the provider named the account's address at the last use, as the authority for it.
   * Whether it still is one is asked when it matters.
   */
  @Column({ type: 'boolean', default: false })
  readonly isAuthority!: boolean;

  /** Whether the person was a member of the connection's organization at the last use. */
  @Column({ type: 'boolean', default: true })
  readonly usedAsMember!: boolean;

  /** Refresh token of the provider, sealed: an erasure or unlinking revokes the grant by it. */
  @Column({ type: 'text', nullable: true })
  readonly sealedGrant!: string | null;

  /** Session in which it was linked; null if a sign-in made it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;

  /**
   * First name that the connection sent last, of an account that it made: empty if it sent none.
   * Null where the account's name does not follow the connection.
   */
  @Column({ type: 'text', nullable: true })
  readonly followedName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly followedLastName!: string | null;

  @Column({ type: 'text', nullable: true })
  readonly followedDisplayName!: string | null;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';
import type { UpstreamSession } from '../../../session/index.js';
import type { Kind } from '../../providers/provider.js';

/** Authorization code of a completed flow, by its hash (ADR 13). */
@Entity('external_codes')
@Index('external_codes_account_idx', ['userId'])
@Index('external_codes_expiry_idx', ['expiresAt'])
export class ExternalCodeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly codeHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column(BYTEWISE_TEXT)
  readonly kind!: Kind;

  /** Connection of the sign-in; empty for the provider of the deployment. */
  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly connectionId!: string;

  /** What the provider of the connection calls the sign-in. */
  @Column({ type: 'jsonb', nullable: true })
  readonly upstream!: UpstreamSession | null;

  /** Whether the connection proved two factors, and its organization trusts it for them. */
  @Column({ type: 'boolean', default: false })
  readonly isTwoFactor!: boolean;

  @Column(BYTEWISE_TEXT)
  readonly codeChallenge!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly consumedAt!: Date | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly sessionId!: SessionId | null;
}

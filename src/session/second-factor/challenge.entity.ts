import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';
import type { ProvenBy } from '../evidence/evidence.js';
import type { UpstreamSession } from '../upstream/upstream-session.js';

/** A sign-in that waits for its second factor, by the hash of its challenge (ADR 34). */
@Entity('sign_in_challenges')
@Index('sign_in_challenges_account_idx', ['userId'])
@Index('sign_in_challenges_expiry_idx', ['expiresAt'])
export class ChallengeEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly challengeHash!: Buffer;

  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  /** Version of the password at the first factor: a new one voids the challenge. */
  @Column({ type: 'int' })
  readonly passwordVersion!: number;

  /** First factor. */
  @Column(BYTEWISE_TEXT)
  readonly method!: ProvenBy;

  @Column({ ...BYTEWISE_TEXT, default: () => "''::text" })
  readonly connectionId!: string;

  /** Whether the password is a common one, which the session then says. */
  @Column({ type: 'boolean', default: false })
  readonly passwordListed!: boolean;

  /** What the provider of the first factor calls the sign-in. */
  @Column({ type: 'jsonb', nullable: true })
  readonly upstream!: UpstreamSession | null;

  @Column({ type: 'int', default: 0 })
  readonly failures!: number;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

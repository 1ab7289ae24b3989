import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../platform/database/index.js';

/** Response to a request with an `Idempotency-Key`, kept to be sent again. */
@Entity('idempotent_responses')
@Index('idempotent_responses_expiry_idx', ['expiresAt'])
export class IdempotentResponseEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  /** Keyed hash of the client and the key that it sent. */
  @PrimaryColumn({ type: 'bytea' })
  readonly keyHash!: Buffer;

  /** Keyed hash of method, path, tenant and body. */
  @Column({ type: 'bytea' })
  readonly requestHash!: Buffer;

  /** The response, sealed: it may hold a secret that is shown once. */
  @Column({ type: 'text' })
  readonly sealed!: string;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

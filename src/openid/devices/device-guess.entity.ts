import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { SessionId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** Wrong codes of devices that were entered in a session within a minute. */
@Entity('oidc_device_guesses')
@Index('oidc_device_guesses_begin_idx', ['begunAt'])
export class DeviceGuessEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly sessionId!: SessionId;

  @Column({ type: 'int' })
  readonly failures!: number;

  @Column(CREATED_AT)
  readonly begunAt!: Date;
}

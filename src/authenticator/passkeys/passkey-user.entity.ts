import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** Random user handle of an account: passkeys must not hold its id (WebAuthn section 14.6.1). */
@Entity('passkey_users')
@Unique('passkey_users_handle_key', ['handle'])
export class PasskeyUserEntity {
  @PrimaryColumn({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly userId!: UserId;

  @Column({ type: 'bytea' })
  readonly handle!: Buffer;
}

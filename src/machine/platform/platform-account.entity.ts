import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperatorRole, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** A program that operates the platform. It belongs to no organization. */
@Entity('platform_accounts')
export class PlatformAccountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: UserId;

  @Column({ type: 'text' })
  readonly name!: string;

  /** What it holds: the scopes of an operator with this role that are open to programs. */
  @Column({ type: 'text' })
  readonly role!: OperatorRole;

  @Column({ ...BYTEWISE_TEXT, default: () => "'active'::text" })
  readonly status!: 'active' | 'disabled';

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

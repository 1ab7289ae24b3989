import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperatorRole, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** An account that may operate the platform. */
@Entity('operators')
export class OperatorEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  @Column({ type: 'text', default: () => "'admin'::text" })
  readonly role!: OperatorRole;

  /** Scopes that restrict the role; null for all that it gives. */
  @Column({ ...BYTEWISE_TEXT, array: true, nullable: true })
  readonly scopes!: string[] | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  /**
   * Time from which the operator counts as one of the two whom an erasure needs: later than the
   * appointment, if another operator made it.
   */
  @Column(CREATED_AT)
  readonly trustedFrom!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** A thing of another service, which that service has registered. */
@Entity('registered_things')
@Index('registered_things_id_idx', ['tenantId', 'id'], { unique: true })
export class RegisteredThingEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Module, collection and id: `freight/orders/01K…`. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly thing!: string;

  /** Orders the list of things by their registration. */
  @Column(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text', nullable: true })
  readonly name!: string | null;

  @Column({ ...TIMESTAMP, default: () => 'now()' })
  readonly updatedAt!: Date;
}

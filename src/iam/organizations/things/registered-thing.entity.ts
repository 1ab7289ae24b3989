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

/** A registered thing is a part of its parent, which need not be registered. */
@Entity('registered_parents')
@Index('registered_parents_below_idx', ['tenantId', 'parent', 'thing'])
@Index('registered_parents_parent_idx', ['tenantId', 'parent', 'height'])
export class RegisteredParentEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly thing!: string;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly parent!: string;

  /** Levels of registered things below `thing`, so that a move need not read all of them. */
  @Column('integer')
  readonly height!: number;
}

/** Number of things that an organization has registered. Its row is the lock of their changes. */
@Entity('registered_thing_counts')
export class RegisteredThingCountEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @Column('integer')
  readonly things!: number;
}

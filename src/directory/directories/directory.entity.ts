import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT } from '../../platform/database/index.js';

/** State of a directory. `disabled`: its tokens are refused. */
export type DirectoryStatus = 'active' | 'disabled';

export type OnDelete = 'suspend' | 'erase';

/** What becomes of people without an address: they wait for one, or are workers. */
export type WithoutAddress = 'wait' | 'worker';

/** A source of people for one organization. */
@Entity('directories')
@Unique('directories_id_unique', ['id'])
export class DirectoryEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Unique by itself: paths of SCIM name only the directory. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Connection whose subjects are the people of this directory. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly connectionId!: string | null;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ ...BYTEWISE_TEXT, default: () => "'active'::text" })
  readonly status!: DirectoryStatus;

  /** What a DELETE does to an account that this directory manages. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'suspend'::text" })
  readonly onDelete!: OnDelete;

  @Column({ ...BYTEWISE_TEXT, default: () => "'wait'::text" })
  readonly withoutAddress!: WithoutAddress;

  /** Attribute that holds the subject of the connection. */
  @Column({ ...BYTEWISE_TEXT, default: () => "'externalId'::text" })
  readonly matchAttribute!: string;

  /** Users and groups. Counted by triggers. */
  @Column({ type: 'int', default: 0 })
  readonly records!: number;

  /** Bytes of their attributes, and 128 for each membership of a group. Counted by triggers. */
  @Column({ type: 'bigint', default: 0 })
  readonly bytes!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;
}

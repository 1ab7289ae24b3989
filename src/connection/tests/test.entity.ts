import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

const TEST_STATES = ['waiting', 'passed', 'failed'] as const;
export type TestStatus = (typeof TEST_STATES)[number];

/** A test sign-in by a connection. */
@Entity('connection_tests')
@Unique('connection_tests_id_unique', ['id'])
@Index('connection_tests_connection_idx', ['tenantId', 'connectionId'])
@Index('connection_tests_expiry_idx', ['expiresAt'])
export class TestEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly connectionId!: string;

  /** Null for a set-up link. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly createdBy!: UserId | null;

  /** Version of the settings that is tested. */
  @Column({ type: 'int' })
  readonly settingsVersion!: number;

  @Column({ ...BYTEWISE_TEXT, default: () => "'waiting'::text" })
  readonly status!: TestStatus;

  /** Sealed, because the attributes are personal data. */
  @Column({ type: 'text', nullable: true })
  readonly sealedResult!: string | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A token of a directory. Two are valid at once while one is replaced. */
@Entity('directory_tokens')
@Unique('directory_tokens_id_unique', ['id'])
export class DirectoryTokenEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  @PrimaryColumn(BYTEWISE_TEXT)
  readonly directoryId!: string;

  /** Public part of the token, by which it is looked up. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'bytea' })
  readonly secretHash!: Buffer;

  /** Who created it; null for a token of an earlier release. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly createdBy!: UserId | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly expiresAt!: Date | null;

  /** Time of the event about its expiry; null after it. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly warnAt!: Date | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly lastUsedAt!: Date | null;

  /** First refused call since its creator could not create it any more; null while it works. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly stoppedAt!: Date | null;
}

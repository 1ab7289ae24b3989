import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { BYTEWISE_TEXT, CREATED_AT, TIMESTAMP } from '../../platform/database/index.js';

/** A satellite: a registered third-party client. */
@Entity('satellites')
@Unique('satellites_client_unique', ['clientId'])
export class SatelliteEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  @Column(BYTEWISE_TEXT)
  readonly clientId!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column({ type: 'text', array: true })
  readonly redirectUris!: string[];

  @Column({ type: 'bytea' })
  readonly secretHash!: Buffer;

  @Column({ type: 'bytea', nullable: true })
  readonly previousSecretHash!: Buffer | null;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly previousSecretUntil!: Date | null;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly disabledAt!: Date | null;

  /** Scopes of its tokens; `*` alone stands for everything that the user holds. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  readonly scopes!: string[];

  /** True for one that was registered before scopes, until an operator sets its own. */
  @Column({ type: 'boolean', default: false })
  readonly scopesInherited!: boolean;
}

import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import type { SetSignInPolicy, TenantId, UserId } from '../../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, SEARCH_TEXT, TIMESTAMP } from '../../../platform/database/index.js';

/** An organization. */
@Entity('tenants')
@Unique('tenants_slug_key', ['slug'])
export class TenantEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: TenantId;

  @Column({ type: 'text' })
  readonly name!: string;

  /** Name in addresses of pages; null for none. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly slug!: string | null;

  /** Slugs that it had before, newest first, which no other organization gets. */
  @Column({ ...BYTEWISE_TEXT, array: true, default: () => "'{}'" })
  readonly formerSlugs!: string[];

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...TIMESTAMP, nullable: true })
  readonly archivedAt!: Date | null;

  /** Time from which the organization is deleted; null if no deletion is scheduled. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly deletesAt!: Date | null;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly deletionRequestedBy!: UserId | null;

  /** Time from which rows have been removed: nothing stops the deletion any more. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly deletionStartedAt!: Date | null;

  /** What the organization asks of sign-ins; null for nothing (ADR 36). */
  @Column({ type: 'jsonb', nullable: true })
  readonly signInPolicy!: SetSignInPolicy | null;

  /**
   * Whether connections of other organizations open this one while its policy does not say. True
   * for organizations from before the default changed.
   */
  @Column({ type: 'boolean', default: false })
  readonly otherConnections!: boolean;

  /** Whether its owners know that {@link otherConnections} is true. */
  @Column({ type: 'boolean', default: true })
  readonly otherConnectionsTold!: boolean;

  /** Time until which an owner has let support in; null if none has. */
  @Column({ ...TIMESTAMP, nullable: true })
  readonly supportUntil!: Date | null;

  /** Name and slug. */
  @Column(SEARCH_TEXT)
  readonly searchText!: never;
}

/** A slug of an organization that is gone, by keyed hash: without the key, it names no company. */
@Entity('retired_slugs')
@Index('retired_slugs_expiry_idx', ['expiresAt'])
export class RetiredSlugEntity {
  @PrimaryColumn({ type: 'bytea' })
  readonly slugKey!: Buffer;

  @Column(TIMESTAMP)
  readonly expiresAt!: Date;
}

/** Limits that operators have set for one organization; null for the default of the service. */
@Entity('tenant_limits')
export class TenantLimitsEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** Mails a day to addresses outside its verified domains. */
  @Column({ type: 'int', nullable: true })
  readonly mailsPerDay!: number | null;

  @Column({ type: 'int', nullable: true })
  readonly openInvitations!: number | null;
}

/** Organization. */
export type Tenant = Pick<TenantEntity, 'id' | 'name' | 'slug' | 'createdAt' | 'archivedAt'>;

/** What can be changed of an organization; a field that is left out stays as it is. */
export interface TenantChanges {
  readonly name?: string | undefined;
  readonly slug?: string | null | undefined;
}

/** State on which permissions in an organization depend. */
export interface TenantState extends Pick<TenantEntity, 'signInPolicy' | 'otherConnections'> {
  readonly archived: boolean;
  readonly deletionScheduled: boolean;
  /** Whether rows are being removed: the organization is then treated as unknown. */
  readonly deletionStarted: boolean;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT, CREATED_AT, TRANSACTION_ID } from '../../platform/database/index.js';
import type { AllowedByResponse, SignInFailuresResponse } from './event-details.dto.js';

/** An event of the audit trail. Append-only: a trigger refuses changes. Ids are surrogates. */
@Entity('audit_events')
@Index('audit_events_account_idx', ['actorId', 'id'])
@Index('audit_events_order_idx', ['xid', 'id'])
export class AuditEventEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly id!: string;

  /** Person who did it, or whose account it was done to. */
  @Column({ ...BYTEWISE_TEXT, name: 'account_id' })
  readonly actorId!: UserId;

  /** Operator who did it as the person; null if the person did it. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly impersonatorId!: UserId | null;

  /** `<thing>.<what happened>`, such as `member.removed`. */
  @Column({ type: 'text' })
  readonly action!: string;

  @Column(CREATED_AT)
  readonly createdAt!: Date;

  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  /** `<module>/<collection>/<id>` of what it happened to. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly subject!: string | null;

  /** Number of the case at support, for which an operator acted; null for none. */
  @Column({ type: 'text', nullable: true })
  readonly ticket!: string | null;

  /** Transaction that recorded it; 0 for events from before transactions were recorded. */
  @Column(TRANSACTION_ID)
  readonly xid!: string;
}

/** Series of failed sign-ins to one account, as it is stored and shown. */
export type SignInFailures = Readonly<SignInFailuresResponse>;

/**
 * What allowed the actor to do it, if it was less than a role of a member in the whole
 * organization: a role on a thing, or a partnership.
 */
type AllowedByDetails = Readonly<Omit<AllowedByResponse, 'partnerName'>>;

/** Details of an event: of failed sign-ins, or what allowed a command. */
export type EventDetails = SignInFailures | AllowedByDetails;

/** Details of an event, apart from it because an erasure removes them. */
@Entity('audit_details')
@Index('audit_details_account_idx', ['accountId', 'eventId'])
export class AuditDetailsEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly eventId!: string;

  @Column(BYTEWISE_TEXT)
  readonly accountId!: UserId;

  /** Organization of the event, by which its list finds what a role allowed; else null. */
  @Column({ ...BYTEWISE_TEXT, nullable: true })
  readonly tenantId!: TenantId | null;

  @Column({ type: 'jsonb' })
  readonly details!: EventDetails;

  /**
   * Of their hash in the chain (ADR 59): without it, details that are erased cannot be guessed.
   * Null for details from before the chain, which it does not cover.
   */
  @Column({ type: 'uuid', nullable: true, default: () => 'gen_random_uuid()' })
  readonly salt!: string | null;
}

/** Last name of a deleted thing, for the audit trail. Triggers on its table insert it. */
@Entity('former_names')
@Index('former_names_deleted_idx', ['tenantId', 'deletedAt'])
export class FormerNameEntity {
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly tenantId!: TenantId;

  /** `<module>/<collection>/<id>`, as the trail has it. */
  @PrimaryColumn(BYTEWISE_TEXT)
  readonly subject!: string;

  @Column({ type: 'text' })
  readonly name!: string;

  @Column(CREATED_AT)
  readonly deletedAt!: Date;
}

import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { TenantId, UserId } from '../../kernel/index.js';
import { BYTEWISE_TEXT } from '../../platform/database/index.js';

/** Series of failed sign-ins to one account. */
export interface SignInFailures {
  readonly count: number;
  /** ISO 8601, in UTC; as is `lastAt`. */
  readonly firstAt: string;
  readonly lastAt: string;
  /** Keyed hash of the network, the same for the same network; null for all networks together. */
  readonly network: string | null;
  /** False while more failures may follow. */
  readonly ended: boolean;
}

/**
 * What allowed the actor to do it, if it was less than a role of a member in the whole
 * organization: a role on a thing, or a partnership.
 */
interface AllowedByDetails {
  /** Key of the role. */
  readonly role: string;
  /** `<module>/<collection>/<id>` of the thing; null for the whole organization. */
  readonly on: string | null;
  /** Id of the partnership; null for members. */
  readonly via: string | null;
}

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

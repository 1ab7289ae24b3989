import { Input, objectField, Output, textField } from '../../platform/api/index.js';
import { TICKET } from './audit.declarations.js';
import { ACTOR_KINDS, type ActorKind, type EventNames } from './audit-names.js';
import type { AuditEvent } from './audit-event.repository.js';

export class SignInFailuresResponse {
  @Output.integer({
    min: 1,
    max: 2_147_483_647,
    description: 'Wrong passwords in this series so far.',
    example: 10,
  })
  count: number;
  @Output.time()
  firstAt: string;
  @Output.time()
  lastAt: string;
  @Output.text({
    nullable: true,
    max: 32,
    pattern: '^[0-9a-f]{32}$',
    description:
      'Keyed hash of the network of the attempts: the same for the same network, without its address. null: all networks together.',
    example: '5d41402abc4b2a76b9719d911017c592',
  })
  network: string | null;
  @Output.boolean({ description: 'Whether the series has ended.', example: false })
  ended: boolean;
}

export class AllowedByResponse {
  @Output.text({ max: 100, description: 'Key of the role.', example: 'site-manager' })
  role: string;
  @Output.text({
    nullable: true,
    max: 200,
    description: 'The thing, as <module>/<collection>/<id>; null for the whole organization.',
    example: 'warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  on: string | null;
  @Output.ulid({
    nullable: true,
    description: 'Partnership by which the actor works in the organization; null for members.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
  })
  via: string | null;
  @Output.text({
    nullable: true,
    max: 2_048,
    description: 'Name of the partner as it is now; null if it is gone, or the caller may not read it.',
    example: 'Bolt Carriers',
  })
  partnerName: string | null;
}

const CURRENT_NAME = textField({
  max: 2_048,
  description: 'Name, or else address, as it is now, or the last one of what is deleted; null for none.',
  example: 'Ada Lovelace',
});

export class AuditEventResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.text({ max: 100, pattern: '^[a-z.-]+$', example: 'member.removed' })
  action: string;
  @Output.ulid({
    description: 'Person who did it, or whose account it was done to.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  actorId: string;
  @Output.ulid({ nullable: true, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })
  tenantId: string | null;
  @Output.text({
    nullable: true,
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    description: 'What it happened to, as <module>/<collection>/<id>.',
    example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  subject: string | null;
  @Output.time()
  createdAt: string;
  @Output.ulid({
    required: false,
    description: 'Operator who acted as the person. Left out otherwise.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  impersonatorId?: string;
  @Output(TICKET, { required: false })
  ticket?: string;

  @Output.word(ACTOR_KINDS, {
    required: false,
    description:
      'What did it. `erased`: a deleted account; `unknown`: something that is gone. Left out of the trail of an account.',
  })
  actorKind?: ActorKind;
  @Output(CURRENT_NAME, { nullable: true, required: false })
  actorName?: string | null;
  @Output.boolean({ required: false, description: 'Whether the actor is deleted.', example: false })
  actorDeleted?: boolean;
  @Output(CURRENT_NAME, {
    nullable: true,
    required: false,
    description:
      'Name of the subject as it is now, or its last one; null if it has none, or the caller may not read it.',
  })
  subjectName?: string | null;
  @Output.boolean({
    required: false,
    description: 'Whether the subject is deleted. An account that is deleted has no name.',
    example: false,
  })
  subjectDeleted?: boolean;
  @Output(CURRENT_NAME, { nullable: true, required: false })
  impersonatorName?: string | null;
  @Output(CURRENT_NAME, {
    nullable: true,
    required: false,
    description: 'Name of the organization as it is now; null for none. For operators only.',
  })
  tenantName?: string | null;

  /** For `account.sign-in-failed` only. */
  @Output(objectField(() => SignInFailuresResponse), { required: false })
  details?: SignInFailuresResponse;

  /**
   * For what a role on a thing allowed, or a partnership. Left out for a role in the whole
   * organization.
   */
  @Output(objectField(() => AllowedByResponse), { required: false })
  by?: AllowedByResponse;

  static from(
    { createdAt, details, impersonatorId, ticket, ...event }: AuditEvent,
    { partnerName = null, ...names }: Partial<EventNames> = {},
  ): AuditEventResponse {
    return {
      ...event,
      ...names,
      createdAt: createdAt.toISOString(),
      ...(impersonatorId !== null && { impersonatorId }),
      ...(ticket !== null && { ticket }),
      ...(details && ('role' in details ? { by: { ...details, partnerName } } : { details })),
    };
  }
}

/** Query of a list of events, in addition to the page's. */
export class PeriodQuery {
  @Input.time({ optional: true, description: 'Lists events from this time on.' })
  from?: string;

  @Input.time({ optional: true, description: 'Lists events before this time.' })
  to?: string;
}

/** Query of the audit trail of an organization. */
export class AuditQuery extends PeriodQuery {
  @Input.text({
    optional: true,
    max: 100,
    pattern: '^[a-z-]+\\.[a-z-]+$',
    shape: '<thing>.<what happened>',
    description: 'Lists only this action.',
    example: 'member.removed',
  })
  action?: string;

  @Input.text({
    optional: true,
    max: 50,
    pattern: '^[a-z-]+$',
    shape: 'the first part of an action',
    description: 'Lists only actions on such a thing.',
    example: 'member',
  })
  group?: string;

  @Input.ulid({
    optional: true,
    description: 'Lists only what this person did.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  actorId?: string;

  @Input.text({
    optional: true,
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    shape: '<module>/<collection>/<id>',
    description: 'Lists only what happened to this.',
    example: 'iam/members/01K3V9D7Q8Z4X5N6M7P8R9S0T4',
  })
  subject?: string;

  @Input.text({
    optional: true,
    max: 200,
    pattern: '^[a-z-]+/[a-z-]+/\\S+$',
    shape: '<module>/<collection>/<id>',
    description:
      'Lists only what a role on this thing allowed, or a partnership: iam/partnerships/<id>. See `by` of the events.',
    example: 'warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  by?: string;

  @Input.ulid({
    optional: true,
    description: 'Lists only what this person did, or what was done to them.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  personId?: string;

  @Input.text({
    optional: true,
    max: 254,
    description:
      'Lists only what people did, or what was done to them, of whose names or addresses this is a part: the first fifty.',
    example: 'lovela',
  })
  query?: string;
}

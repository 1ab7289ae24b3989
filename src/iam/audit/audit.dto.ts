import { objectField, Output, textField } from '../../platform/api/index.js';
import { TICKET } from './audit.declarations.js';
import { ACTOR_KINDS, type ActorKind, type EventNames } from './audit-names.js';
import type { AuditEvent } from './audit-event.repository.js';
import { AllowedByResponse, SignInFailuresResponse } from './event-details.dto.js';

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

import { Input, objectField, objectListField, Output } from '../../platform/api/index.js';
import { DENIAL_CODES, SUBJECT_SHAPE } from '../../ability/index.js';

class EvaluationErrorResponse {
  @Output.integer({ min: 400, max: 599, example: 403 })
  status: number;
  @Output.text({ max: 300, example: 'The subject is not the caller.' })
  message: string;
}

class EvaluationContextResponse {
  @Output.word(DENIAL_CODES, { required: false, description: 'Why it is denied, for programs.' })
  code?: string;
  @Output.text({
    required: false,
    max: 300,
    description: 'Why it is denied, for people.',
    example: 'The invitation has been accepted already.',
  })
  reason?: string;
  @Output(
    objectField(() => EvaluationErrorResponse, {
      status: 403,
      message: 'The subject is not the caller.',
    }),
    {
      required: false,
      description: 'Why it was not evaluated.',
    },
  )
  error?: EvaluationErrorResponse;
}

/** What the command would decide. */
export class EvaluationResponse {
  @Output.boolean({ example: false })
  decision: boolean;
  @Output(
    objectField(() => EvaluationContextResponse, {
      code: 'state_forbids',
      reason: 'The invitation has been accepted already.',
    }),
    {
      required: false,
      description: 'With a denial only.',
    },
  )
  context?: EvaluationContextResponse;
}

export class EvaluationsResponse {
  @Output(objectListField(() => EvaluationResponse, 50))
  evaluations: EvaluationResponse[];
}

/** Evaluations of one request. */
const MAX_EVALUATIONS = 50;
const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof SEMANTICS)[number];

export class EvaluatedSubjectDto {
  @Input.text({
    max: 100,
    example: 'user',
    description: '`user` for a person, `service_account` for a machine.',
  })
  type: string;

  @Input.text({
    max: 100,
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    description:
      'Id of the caller, as `sub` of the token has it; of another member or service account for those who may ask about others.',
  })
  id: string;
}

export class EvaluatedActionDto {
  @Input.text({ max: 200, example: 'iam:invitation:revoke', description: 'Scope.' })
  name: string;
}

export class EvaluatedResourceDto {
  @Input.text({
    max: 200,
    example: 'iam/invitations',
    description: 'Module and collection of the entity.',
  })
  type: string;

  @Input.text({ max: 200, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1', description: 'Id of the entity.' })
  id: string;
}

/** What a question says besides. Other members are ignored: state comes from the database. */
export class EvaluationContextDto {
  @Input.list({
    optional: true,
    max: 8,
    pattern: SUBJECT_SHAPE,
    message: 'must have the shape <scheme>:///<module>/<collection>/<ulid>',
    description:
      'What the resource is a part of, besides what is registered: for things of other services, by a service account with `access:thing:read`.',
    example: ['gatehouse:///freight/depots/01K3V9D7Q8Z4X5N6M7P8R9S0T4'],
  })
  parents?: string[];

  @Input.ulid({ optional: true, description: 'The organization, for service accounts of the platform.' })
  tenantId?: string;
}

/** One question; in a request of several, what it leaves out is that of the request. */
export class EvaluationDto {
  @Input(objectField(() => EvaluatedSubjectDto), { optional: true })
  subject?: EvaluatedSubjectDto;

  @Input(objectField(() => EvaluatedActionDto), { optional: true })
  action?: EvaluatedActionDto;

  @Input(objectField(() => EvaluatedResourceDto), { optional: true })
  resource?: EvaluatedResourceDto;

  @Input(objectField(() => EvaluationContextDto), { optional: true })
  context?: EvaluationContextDto;
}

class EvaluationOptionsDto {
  @Input.word(SEMANTICS, {
    optional: true,
    description: 'Whether to stop at the first denial, or the first permission.',
  })
  evaluations_semantic?: Semantic;
}

export class EvaluationsDto extends EvaluationDto {
  @Input(objectListField(() => EvaluationDto, MAX_EVALUATIONS), { optional: true })
  evaluations?: EvaluationDto[];

  @Input(objectField(() => EvaluationOptionsDto), { optional: true })
  options?: EvaluationOptionsDto;
}

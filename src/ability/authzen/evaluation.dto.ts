import { Input, objectField, objectListField, textField, wordField } from '../../platform/api/index.js';

/** Evaluations of one request. */
const MAX_EVALUATIONS = 50;
const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type Semantic = (typeof SEMANTICS)[number];

export class EvaluatedSubjectDto {
  @Input(
    textField({
      max: 100,
      example: 'user',
      description: '`user` for a person, `service_account` for a machine.',
    }),
  )
  type: string;

  @Input(
    textField({
      max: 100,
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
      description: 'Id of the caller, as `sub` of the token has it.',
    }),
  )
  id: string;
}

export class EvaluatedActionDto {
  @Input(textField({ max: 200, example: 'iam:invitation:revoke', description: 'Scope.' }))
  name: string;
}

class EvaluatedResourceDto {
  @Input(
    textField({
      max: 200,
      example: 'iam/invitations',
      description: 'Module and collection of the entity.',
    }),
  )
  type: string;

  @Input(textField({ max: 200, example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1', description: 'Id of the entity.' }))
  id: string;
}

/** One question; in a request of several, what it leaves out is that of the request. */
export class EvaluationDto {
  @Input(objectField(() => EvaluatedSubjectDto), { optional: true })
  subject?: EvaluatedSubjectDto;

  @Input(objectField(() => EvaluatedActionDto), { optional: true })
  action?: EvaluatedActionDto;

  @Input(objectField(() => EvaluatedResourceDto), { optional: true })
  resource?: EvaluatedResourceDto;
}

class EvaluationOptionsDto {
  @Input(
    wordField(SEMANTICS, { description: 'Whether to stop at the first denial, or the first permission.' }),
    { optional: true },
  )
  evaluations_semantic?: Semantic;
}

export class EvaluationsDto extends EvaluationDto {
  @Input(objectListField(() => EvaluationDto, MAX_EVALUATIONS), { optional: true })
  evaluations?: EvaluationDto[];

  @Input(objectField(() => EvaluationOptionsDto), { optional: true })
  options?: EvaluationOptionsDto;
}

import {
  booleanField,
  integerField,
  objectField,
  objectListField,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';
import { DENIAL_CODES } from '../../ability/index.js';

class EvaluationErrorResponse {
  @Output(integerField({ min: 400, max: 599, example: 403 }))
  status: number;
  @Output(textField({ max: 300, example: 'The subject is not the caller.' }))
  message: string;
}

class EvaluationContextResponse {
  @Output(wordField(DENIAL_CODES, { description: 'Why it is denied, for programs.' }), { required: false })
  code?: string;
  @Output(
    textField({
      max: 300,
      description: 'Why it is denied, for people.',
      example: 'The invitation has been accepted already.',
    }),
    { required: false },
  )
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
  @Output(booleanField({ example: false }))
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

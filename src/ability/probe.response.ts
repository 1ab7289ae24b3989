import { BooleanAnswer, TextAnswer, WordAnswer } from '../platform/api/index.js';
import { DENIAL_CODES } from './decision.js';

/** What the command would decide. */
export class VerdictResponse {
  @BooleanAnswer({ example: false })
  allowed: boolean;
  @WordAnswer(DENIAL_CODES, {
    required: false,
    description: 'Why it is denied, for programs. With a denial only.',
    example: 'state_forbids',
  })
  code?: string;
  @TextAnswer({
    max: 300,
    required: false,
    description: 'Why it is denied, as a sentence for a tooltip. With a denial only.',
    example: 'The invitation has been accepted already.',
  })
  reason?: string;
}

import { BooleanAnswer, TextAnswer, WordAnswer } from '../platform/api/index.js';
import { DENIAL_CODES } from './decision.js';

/** What the command would say. */
export class VerdictResponse {
  @BooleanAnswer({ example: false })
  allowed: boolean;
  @WordAnswer(DENIAL_CODES, {
    required: false,
    description: 'For programs; with a denial.',
    example: 'state_forbids',
  })
  code?: string;
  @TextAnswer({
    max: 300,
    required: false,
    description: 'A sentence for a tooltip; with a denial.',
    example: 'The invitation has been accepted already.',
  })
  reason?: string;
}

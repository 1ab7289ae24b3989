import { booleanField, Output, textField, wordField } from '../../platform/api/index.js';
import { DENIAL_CODES } from '../decision.js';

/** What the command would decide. */
export class VerdictResponse {
  @Output(booleanField({ example: false }))
  allowed: boolean;
  @Output(
    wordField(DENIAL_CODES, {
      description: 'Why it is denied, for programs. With a denial only.',
      example: 'state_forbids',
    }),
    { required: false },
  )
  code?: string;
  @Output(
    textField({
      max: 300,
      description: 'Why it is denied, as a sentence for a tooltip. With a denial only.',
      example: 'The invitation has been accepted already.',
    }),
    { required: false },
  )
  reason?: string;
}

import { booleanField, objectField, Output, textField, wordField } from '../../platform/api/index.js';
import { DENIAL_CODES } from '../decision.js';

/** Role by which a scope is held. */
class HeldByResponse {
  @Output(textField({ max: 50, description: 'Key of the role.', example: 'keeper' }))
  role: string;
  @Output(
    textField({
      max: 200,
      description: 'The thing; null for the whole organization.',
      example: 'gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
    }),
    { nullable: true },
  )
  on: string | null;
}

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
  @Output(objectField(() => HeldByResponse), {
    required: false,
    description: 'If asked for, with a permission that a role gives.',
    example: { role: 'keeper', on: 'gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5' },
  })
  by?: HeldByResponse;
}

import {
  booleanField,
  Input,
  listField,
  objectField,
  Output,
  textField,
  ulidField,
  wordField,
} from '../../platform/api/index.js';
import { DENIAL_CODES } from '../decision.js';
import { SCOPE_SHAPE } from '../scope-declarations.js';
import { SUBJECT_SHAPE } from '../subject.js';

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

export class ProbeDto {
  @Input(
    textField({
      max: 300,
      pattern: SUBJECT_SHAPE,
      shape: '<scheme>:///<module>/<collection>/<ulid>',
      example: 'gatehouse:///iam/invitations/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description:
        'Entity to check, as <scheme>:///<module>/<collection>/<ulid>. Without it, only the scopes are checked.',
    }),
    { optional: true },
  )
  subject?: string;

  @Input(
    listField({
      min: 1,
      max: 50,
      pattern: SCOPE_SHAPE,
      message: 'must have the shape <module>:<entity>:<action>',
      example: ['iam:invitation:create', 'iam:invitation:revoke'],
    }),
  )
  scopes: string[];

  @Input(
    booleanField({
      description: 'Without a subject: whether the scopes are held on anything in the organization.',
    }),
    { optional: true },
  )
  anywhere?: boolean;

  @Input(booleanField({ description: 'Whether answers say by which role a scope is held.' }), {
    optional: true,
  })
  explain?: boolean;

  @Input(
    ulidField({
      description:
        'Member about whom is asked, in place of the caller; needs `access:decision:read`. The answer is for a sign-in that the organization accepts.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    }),
    { optional: true },
  )
  userId?: string;
}

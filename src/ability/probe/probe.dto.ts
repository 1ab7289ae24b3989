import { Input, objectField, Output } from '../../platform/api/index.js';
import { DENIAL_CODES } from '../decision.js';
import { SCOPE_SHAPE } from '../scope-declarations.js';
import { SUBJECT_SHAPE } from '../subject.js';

/** Role by which a scope is held. */
class HeldByResponse {
  @Output.text({ max: 50, description: 'Key of the role.', example: 'keeper' })
  role: string;
  @Output.text({
    nullable: true,
    max: 200,
    description: 'The thing; null for the whole organization.',
    example: 'gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5',
  })
  on: string | null;
}

/** What the command would decide. */
export class VerdictResponse {
  @Output.boolean({ example: false })
  allowed: boolean;
  @Output.word(DENIAL_CODES, {
    required: false,
    description: 'Why it is denied, for programs. With a denial only.',
    example: 'state_forbids',
  })
  code?: string;
  @Output.text({
    required: false,
    max: 300,
    description: 'Why it is denied, as a sentence for a tooltip. With a denial only.',
    example: 'The invitation has been accepted already.',
  })
  reason?: string;
  @Output(objectField(() => HeldByResponse), {
    required: false,
    description: 'If asked for, with a permission that a role gives.',
    example: { role: 'keeper', on: 'gatehouse:///warehouse/sites/01K3V9D7Q8Z4X5N6M7P8R9S0T5' },
  })
  by?: HeldByResponse;
}

export class ProbeDto {
  @Input.text({
    optional: true,
    max: 300,
    pattern: SUBJECT_SHAPE,
    shape: '<scheme>:///<module>/<collection>/<ulid>',
    example: 'gatehouse:///iam/invitations/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
    description:
      'Entity to check, as <scheme>:///<module>/<collection>/<ulid>. Without it, only the scopes are checked.',
  })
  subject?: string;

  @Input.list({
    min: 1,
    max: 50,
    pattern: SCOPE_SHAPE,
    message: 'must have the shape <module>:<entity>:<action>',
    example: ['iam:invitation:create', 'iam:invitation:revoke'],
  })
  scopes: string[];

  @Input.boolean({
    optional: true,
    description: 'Without a subject: whether the scopes are held on anything in the organization.',
  })
  anywhere?: boolean;

  @Input.boolean({ optional: true, description: 'Whether answers say by which role a scope is held.' })
  explain?: boolean;

  @Input.ulid({
    optional: true,
    description:
      'Member about whom is asked, in place of the caller; needs `access:decision:read`. The answer is for a sign-in that the organization accepts.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
  })
  userId?: string;
}

import { booleanField, Input, listField, textField, ulidField } from '../../../platform/api/index.js';
import { SCOPE_SHAPE } from '../../scope-declarations.js';
import { SUBJECT_SHAPE } from '../../subject.js';

export class ProbeDto {
  @Input(
    textField({
      max: 300,
      pattern: SUBJECT_SHAPE,
      shape: '<scheme>:///<module>/<collection>/<ulid>',
      example: 'gatehouse:///iam/invitations/01K3V9D7Q8Z4X5N6M7P8R9S0T1',
      description:
        'Entity to check, as <scheme>:///<module>/<collection>/<ulid>. Leave it out to check the scopes alone.',
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

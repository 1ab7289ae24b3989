import { booleanField, objectListField, Output, textField } from '../../../platform/api/index.js';

/** Permission that roles of an organization can hold. */
export class PermissionResponse {
  @Output(textField({ max: 200, example: 'iam:invitation:create' }))
  scope: string;
  @Output(textField({ max: 100, example: 'Invite people', description: 'What it allows.' }))
  title: string;
  @Output(
    textField({
      max: 300,
      example: 'Invite addresses to roles that one may give.',
      description: 'One more sentence about it, or null.',
    }),
    { nullable: true },
  )
  description: string | null;
  @Output(textField({ max: 100, example: 'Invitations', description: 'Heading under which to show it.' }))
  group: string;
  @Output(
    booleanField({
      example: true,
      description: 'Whether the caller holds it, and so can give it to a role.',
    }),
  )
  givable: boolean;
}

export class PermissionListResponse {
  @Output(objectListField(() => PermissionResponse, 10_000))
  items: PermissionResponse[];
}

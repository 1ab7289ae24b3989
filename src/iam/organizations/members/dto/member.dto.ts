import { Input, textField } from '../../../../platform/api/index.js';
import { ROLE_KEY_FIELD, ROLE_KEYS } from '../../roles/role.fields.js';

export class ChangeRolesDto {
  @Input(ROLE_KEYS)
  roles: string[];
}

/** Query of the list of members, in addition to the page's. */
export class MembersQuery {
  @Input(
    textField({
      max: 254,
      description:
        'Any part of the name or the address, without regard to case and accents; without three Latin letters or digits in a row, its beginning.',
      example: 'ada',
    }),
    { optional: true },
  )
  query?: string;

  @Input(ROLE_KEY_FIELD, { optional: true, description: 'Key of a role that the member holds.' })
  role?: string;
}

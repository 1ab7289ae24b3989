import { Input, ulidField } from '../../../../../platform/api/index.js';
import { ROLE_KEYS } from '../../../roles/role.fields.js';

export class TransferOwnershipDto {
  @Input(ulidField({ description: 'Member who becomes an owner.' }))
  userId: string;

  @Input(ROLE_KEYS, {
    optional: true,
    description: "Keys of the caller's roles afterwards. Default: the other roles, or else `member`.",
  })
  keepRoles?: string[];
}

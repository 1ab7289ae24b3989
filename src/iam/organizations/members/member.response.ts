import { emailField, Output, timeField, ulidField } from '../../../platform/api/index.js';
import { FIRST_NAME } from '../../accounts/account.fields.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import type { Member } from './member.repository.js';

export class MemberResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(timeField())
  joinedAt: string;

  static from({ joinedAt, ...member }: Member): MemberResponse {
    return { ...member, joinedAt: joinedAt.toISOString() };
  }
}

import { CursorAnswer, ListAnswer, TextAnswer, TimeAnswer, UlidAnswer } from '../../../platform/api/index.js';
import { RoleKeysAnswer } from '../roles/role.response.js';
import type { Member } from './member.repository.js';

export class MemberResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  userId: string;
  @TextAnswer({ max: 254, format: 'email', nullable: true, example: 'ada@example.com' })
  email: string | null;
  @TextAnswer({ max: 100, nullable: true, example: 'Ada' })
  firstName: string | null;
  @RoleKeysAnswer()
  roles: string[];
  @TimeAnswer()
  joinedAt: string;

  static from({ joinedAt, ...member }: Member): MemberResponse {
    return { ...member, joinedAt: joinedAt.toISOString() };
  }
}

export class MemberListResponse {
  @ListAnswer(() => MemberResponse, 100)
  items: MemberResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}

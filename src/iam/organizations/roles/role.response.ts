import {
  BooleanAnswer,
  CursorAnswer,
  ListAnswer,
  TextAnswer,
  TextListAnswer,
  UlidAnswer,
} from '../../../platform/api/index.js';
import { SCOPE_SHAPE } from '../../../ability/index.js';
import { ROLE_KEY } from './dto/role.dto.js';
import type { Role } from './role.repository.js';

export class RoleResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 50, pattern: ROLE_KEY.source, example: 'dispatcher' })
  key: string;
  @TextAnswer({ max: 100, example: 'Dispatcher' })
  name: string;
  @TextListAnswer({ max: 1_000, pattern: SCOPE_SHAPE, example: ['iam:member:read'] })
  scopes: string[];
  @BooleanAnswer({ description: 'Owner, admin and member cannot be changed.', example: false })
  builtIn: boolean;

  static from({ id, key, name, scopes, builtIn }: Role): RoleResponse {
    return { id, key, name, scopes: [...scopes], builtIn };
  }
}

export class RoleListResponse {
  @ListAnswer(() => RoleResponse, 100)
  items: RoleResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}

/** Keys of the roles of a member or an invitation. */
export const RoleKeysAnswer = (): PropertyDecorator =>
  TextListAnswer({ max: 20, pattern: ROLE_KEY, description: 'Keys of the roles.', example: ['admin'] });

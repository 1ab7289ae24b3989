import {
  CursorAnswer,
  ListAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from '../../../platform/api/index.js';
import { RoleKeysAnswer } from '../roles/role.response.js';
import type { Tenant } from './tenant.js';
import type { MyTenant } from './tenant.repository.js';

const statusOf = ({ archivedAt }: Tenant): 'active' | 'archived' =>
  archivedAt === null ? 'active' : 'archived';

export class TenantResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 200, example: 'Lovelace Logistics' })
  name: string;
  @WordAnswer(['active', 'archived'])
  status: 'active' | 'archived';
  @TimeAnswer()
  createdAt: string;

  static from(tenant: Tenant): TenantResponse {
    const { id, name, createdAt } = tenant;
    return { id, name, status: statusOf(tenant), createdAt: createdAt.toISOString() };
  }
}

export class MyTenantResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 200, example: 'Lovelace Logistics' })
  name: string;
  @WordAnswer(['active', 'archived'])
  status: 'active' | 'archived';
  @RoleKeysAnswer()
  roles: string[];

  static from(tenant: MyTenant): MyTenantResponse {
    const { id, name, roles } = tenant;
    return { id, name, status: statusOf(tenant), roles };
  }
}

export class MyTenantListResponse {
  @ListAnswer(() => MyTenantResponse, 100)
  items: MyTenantResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}

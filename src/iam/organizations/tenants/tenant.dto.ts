import { Input, Output } from '../../../platform/api/index.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import { SLUG, TENANT_NAME, TENANT_STATUS } from '../organization.declarations.js';
import type { Tenant } from './tenant.entity.js';
import type { MyTenant } from './tenant.repository.js';

const statusOf = ({ archivedAt }: Tenant): 'active' | 'archived' =>
  archivedAt === null ? 'active' : 'archived';

/** Left out by an organization without one. */
const slugOf = ({ slug }: Tenant): { slug?: string } => (slug === null ? {} : { slug });

export class TenantResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(TENANT_NAME)
  name: string;
  @Output(TENANT_STATUS)
  status: 'active' | 'archived';
  @Output.time()
  createdAt: string;
  @Output(SLUG, { required: false })
  slug?: string;

  static from(tenant: Tenant): TenantResponse {
    const { id, name, createdAt } = tenant;
    const status = statusOf(tenant);
    return { id, name, status, createdAt: createdAt.toISOString(), ...slugOf(tenant) };
  }
}

export class MyTenantResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(TENANT_NAME)
  name: string;
  @Output(TENANT_STATUS)
  status: 'active' | 'archived';
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(SLUG, { required: false })
  slug?: string;
  @Output.ulid({
    required: false,
    description:
      'Partnership by which you work in it; left out by an organization of which you are a member.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6',
  })
  via?: string;

  static from(tenant: MyTenant): MyTenantResponse {
    const { id, name, roles, via } = tenant;
    return { id, name, status: statusOf(tenant), roles, ...slugOf(tenant), ...(via !== null && { via }) };
  }
}

export class CreateTenantDto {
  @Input(TENANT_NAME, { optional: true, description: "Default: the company of the caller's account." })
  name?: string;
  @Input(SLUG, { optional: true })
  slug?: string;
}

export class DeleteTenantDto {
  @Input(TENANT_NAME, { description: 'Name of the organization, to confirm.' })
  name: string;
}

export class UpdateTenantDto {
  @Input(TENANT_NAME, { optional: true, description: 'Required without `slug`.' })
  name?: string;
  @Input(SLUG, { optional: true, nullable: true })
  slug?: string | null;
}

export class TransferOwnershipDto {
  @Input.ulid({ description: 'Member who becomes an owner.' })
  userId: string;

  @Input(ROLE_KEYS, {
    optional: true,
    description: "Keys of the caller's roles afterwards. Default: the other roles, or else `member`.",
  })
  keepRoles?: string[];
}

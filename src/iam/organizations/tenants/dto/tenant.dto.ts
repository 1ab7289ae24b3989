import { Input } from '../../../../platform/api/index.js';
import { TENANT_NAME } from '../tenant.fields.js';

export class CreateTenantDto {
  @Input(TENANT_NAME, { optional: true, description: "Default: the company of the caller's account." })
  name?: string;
}

export class DeleteTenantDto {
  @Input(TENANT_NAME, { description: 'Name of the organization, to confirm.' })
  name: string;
}

export class RenameTenantDto {
  @Input(TENANT_NAME)
  name: string;
}

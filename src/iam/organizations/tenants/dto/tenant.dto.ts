import { Input } from '../../../../platform/api/index.js';
import { SLUG, TENANT_NAME } from '../tenant.fields.js';

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

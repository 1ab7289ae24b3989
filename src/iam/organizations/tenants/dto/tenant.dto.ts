import { TextField } from '../../../../platform/api/index.js';

const rules = { max: 200, example: 'Lovelace Logistics' };

export class CreateTenantDto {
  @TextField({ ...rules, optional: true, description: "Default: the company of the caller's account." })
  name?: string;
}

export class RenameTenantDto {
  @TextField(rules)
  name: string;
}

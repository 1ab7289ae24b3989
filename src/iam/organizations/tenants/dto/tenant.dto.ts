import { TextField } from '../../../../platform/api/index.js';

const rules = { max: 200, example: 'Lovelace Logistics' };

export class CreateTenantDto {
  @TextField({ ...rules, optional: true, description: 'The company of the registration, if left out.' })
  name?: string;
}

export class RenameTenantDto {
  @TextField(rules)
  name: string;
}

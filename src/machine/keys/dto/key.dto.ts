import { Input, ulidField } from '../../../platform/api/index.js';
import { EXPIRES_AT, KEY_NAME, KEY_SCOPES, NETWORKS } from '../key.fields.js';

class NewKeyDto {
  @Input(KEY_NAME)
  name: string;

  @Input(EXPIRES_AT, { optional: true, nullable: true, example: '2036-11-21T09:00:00.000Z' })
  expiresAt?: string | null;

  @Input(KEY_SCOPES, { optional: true, nullable: true })
  scopes?: string[] | null;
}

export class CreateApiKeyDto extends NewKeyDto {
  @Input(NETWORKS, { optional: true })
  networks?: string[];
}

export class CreatePersonalKeyDto extends NewKeyDto {
  @Input(ulidField({ description: 'Organization in which it acts.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  tenantId: string;
}

import { Input } from '../../../platform/api/index.js';
import { AUDIENCE, CONDITIONS, ISSUER } from '../trust.fields.js';

export class CreateTrustRuleDto {
  @Input(ISSUER)
  issuer: string;

  @Input(AUDIENCE)
  audience: string;

  @Input(CONDITIONS)
  conditions: Record<string, unknown>;
}

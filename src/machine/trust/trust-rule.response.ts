import { Output, timeField } from '../../platform/api/index.js';
import { AUDIENCE, CONDITIONS, ISSUER, RULE_ID } from './trust.fields.js';
import type { TrustRule } from './trust-rule.repository.js';

export class TrustRuleResponse {
  @Output(RULE_ID)
  id: string;
  @Output(ISSUER)
  issuer: string;
  @Output(AUDIENCE)
  audience: string;
  @Output(CONDITIONS)
  conditions: Record<string, string>;
  @Output(timeField())
  createdAt: string;

  static from({ id, issuer, audience, conditions, createdAt }: TrustRule): TrustRuleResponse {
    return { id, issuer, audience, conditions, createdAt: createdAt.toISOString() };
  }
}

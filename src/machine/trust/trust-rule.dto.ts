import { isObject } from '../../kernel/index.js';
import { type Field, Input, Output, textField, ulidField, toResponse } from '../../platform/api/index.js';
import type { TrustRule } from './trust-rule.repository.js';

const RULE_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T7' });
const ISSUER = textField({
  max: 300,
  pattern: /^https?:\/\/[^\s?#]{1,290}$/,
  shape: 'an https address, as in the claim iss',
  example: 'https://token.actions.githubusercontent.com',
});
const AUDIENCE = textField({
  max: 300,
  description: 'Value that the claim `aud` must have.',
  example: 'https://id.example.com',
});
/** Value or glob by claim: an object whose members are the caller's. */
const CONDITIONS: Field = {
  schema: {
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500, pattern: '^[^\\u0000]*$' },
    maxProperties: 20,
    example: { repository: 'octo-org/octo-repo', ref: 'refs/heads/main' },
    description:
      'Exact value or glob by claim; all must fit, and one besides `iss` and `aud` must say something. `*` stands for characters but `/` and `:`, `**` for any.',
  },
  checks: [
    {
      name: 'conditions',
      message: 'must be an object with a text for each claim',
      test: isObject,
    },
  ],
};

export class TrustRuleResponse {
  @Output(RULE_ID)
  id: string;
  @Output(ISSUER)
  issuer: string;
  @Output(AUDIENCE)
  audience: string;
  @Output(CONDITIONS)
  conditions: Record<string, string>;
  @Output.time()
  createdAt: string;

  static from(rule: TrustRule): TrustRuleResponse {
    return toResponse(TrustRuleResponse, rule);
  }
}

export class CreateTrustRuleDto {
  @Input(ISSUER)
  issuer: string;

  @Input(AUDIENCE)
  audience: string;

  @Input(CONDITIONS)
  conditions: Record<string, unknown>;
}

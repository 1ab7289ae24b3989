import type { OperatorRole } from '../../../kernel/index.js';
import { emailField, Input } from '../../../platform/api/index.js';
import { OPERATOR_ROLE, OPERATOR_SCOPES } from '../operator.fields.js';

export class GrantOperatorDto {
  @Input(emailField({ description: 'Verified address of the account.', example: 'ada@example.com' }))
  email: string;
  @Input(OPERATOR_ROLE)
  role: OperatorRole;
  @Input(OPERATOR_SCOPES, { optional: true, nullable: true })
  scopes?: string[] | null;
}

/** Replaces both: a restriction that was left out by mistake would else be lifted. */
export class SetOperatorDto {
  @Input(OPERATOR_ROLE)
  role: OperatorRole;
  @Input(OPERATOR_SCOPES, { nullable: true })
  scopes: string[] | null;
}

import type { OperatorRole } from '../../kernel/index.js';
import { emailField, Output, timeField, ulidField } from '../../platform/api/index.js';
import { FIRST_NAME } from '../accounts/account.fields.js';
import { OPERATOR_ROLE } from './operator.fields.js';
import type { Operator } from './operator.repository.js';

export class OperatorResponse {
  @Output(ulidField({ description: 'Id of the account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(OPERATOR_ROLE)
  role: OperatorRole;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(FIRST_NAME, { nullable: true })
  firstName: string | null;
  @Output(timeField({ description: 'Time at which the person became an operator.' }))
  since: string;

  static from({ id, role, email, firstName, since }: Operator): OperatorResponse {
    return { userId: id, role, email, firstName, since: since.toISOString() };
  }
}

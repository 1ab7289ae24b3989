import type { DeclaredScope } from '../../ability/index.js';
import type { OperatorRole } from '../../kernel/index.js';
import {
  emailField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
} from '../../platform/api/index.js';
import { type Locale, textOf } from '../../platform/messages/index.js';
import { NamedResponse, namesOf } from '../accounts/person-name.js';
import { OPERATOR_ROLE, OPERATOR_SCOPES } from './operator.fields.js';
import type { Operator } from './operator.repository.js';

export class OperatorResponse extends NamedResponse {
  @Output(ulidField({ description: 'Id of the account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  userId: string;
  @Output(OPERATOR_ROLE)
  role: OperatorRole;
  @Output(OPERATOR_SCOPES, { nullable: true })
  scopes: string[] | null;
  @Output(emailField({ example: 'ada@example.com' }), { nullable: true })
  email: string | null;
  @Output(timeField({ description: 'Time at which the person became an operator.' }))
  since: string;

  static from({ id, role, scopes, email, since, ...person }: Operator): OperatorResponse {
    return { userId: id, role, scopes, email, ...namesOf(person), since: since.toISOString() };
  }
}

/** A permission to which an operator can be restricted. */
export class OperatorPermissionResponse {
  @Output(textField({ max: 200, example: 'platform:person:suspend' }))
  scope: string;
  @Output(textField({ max: 100, example: 'Suspend accounts', description: 'What it allows.' }))
  title: string;
  @Output(textField({ max: 100, example: 'People', description: 'Heading under which to show it.' }))
  group: string;
  @Output(OPERATOR_ROLE)
  role: OperatorRole;
}

export class OperatorPermissionsResponse {
  @Output(objectListField(() => OperatorPermissionResponse, 10_000))
  items: OperatorPermissionResponse[];

  static from(scopes: readonly DeclaredScope[], locale: Locale): OperatorPermissionsResponse {
    return {
      items: scopes.map(({ scope, operators, texts: { title, group } }) => ({
        scope,
        title: textOf(title, locale),
        group: textOf(group, locale),
        role: operators,
      })),
    };
  }
}

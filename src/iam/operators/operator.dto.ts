import { type DeclaredScope, SCOPE_SHAPE } from '../../ability/index.js';
import { OPERATOR_ROLES, type OperatorRole } from '../../kernel/index.js';
import { Input, listField, objectListField, Output, Tag, wordField } from '../../platform/api/index.js';
import { type Locale, textOf } from '../../platform/messages/index.js';
import { NamedResponse, namesOf } from '../accounts/person-name.js';
import type { Operator } from './operator.repository.js';

/** Tag of the operators' console in the API documentation. */
export const OperatorsTag = (): ClassDecorator =>
  Tag(
    'Operators',
    'What operators of the platform can do. Each operation needs two factors of the last ten minutes.',
  );

const OPERATOR_ROLE = wordField(OPERATOR_ROLES, {
  description: '`support` reads, ends sessions and sends mails; `admin` does everything.',
});

const OPERATOR_SCOPES = listField({
  min: 1,
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the shape <module>:<entity>:<action>',
  description: 'Restricts the role to these permissions; null for all that it gives.',
  example: ['platform:person:read', 'platform:person:end-sessions'],
});

export class OperatorResponse extends NamedResponse {
  @Output.ulid({ description: 'Id of the account.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  userId: string;
  @Output(OPERATOR_ROLE)
  role: OperatorRole;
  @Output(OPERATOR_SCOPES, { nullable: true })
  scopes: string[] | null;
  @Output.email({ nullable: true, example: 'ada@example.com' })
  email: string | null;
  @Output.time({ description: 'Time at which the person became an operator.' })
  since: string;

  static from({ id, role, scopes, email, since, ...person }: Operator): OperatorResponse {
    return { userId: id, role, scopes, email, ...namesOf(person), since: since.toISOString() };
  }
}

/** A permission to which an operator can be restricted. */
export class OperatorPermissionResponse {
  @Output.text({ max: 200, example: 'platform:person:suspend' })
  scope: string;
  @Output.text({ max: 100, example: 'Suspend accounts', description: 'What it allows.' })
  title: string;
  @Output.text({ max: 100, example: 'People', description: 'Heading under which to show it.' })
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

export class GrantOperatorDto {
  @Input.email({ description: 'Verified address of the account.', example: 'ada@example.com' })
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

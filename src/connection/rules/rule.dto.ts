import { Input, listField, objectListField, Output, textField, wordField } from '../../platform/api/index.js';
import { ROLE_KEY } from '../connections/connection.fields.js';
import { RULE_OPERATORS, type RuleOperator } from '../connections/connection.js';

/** Maximum number of rules of a connection. */
const MAX_RULES = 100;

const ATTRIBUTE = textField({
  max: 200,
  example: 'groups',
  description: 'Name of the claim or attribute; `groups` for the one that the settings name so.',
});
const OPERATOR = wordField(RULE_OPERATORS, {
  description:
    '`contains`: part of a value. `matches`: a whole value, in which `*` stands for any text, eight times at most.',
});
const VALUE = textField({
  max: 500,
  example: 'Engineering',
  description: 'Compared with each value, by letter and case.',
});
const ROLES = listField({
  max: 20,
  itemMax: 50,
  pattern: ROLE_KEY,
  message: 'must be the key of a role',
  example: ['member'],
  description: 'Keys of the roles that the rule gives.',
});

class RuleDto {
  @Input(ATTRIBUTE)
  attribute: string;
  @Input(OPERATOR)
  operator: RuleOperator;
  @Input(VALUE)
  value: string;
  @Input(ROLES)
  roles: string[];
}

export class RulesDto {
  @Input(objectListField(() => RuleDto, MAX_RULES))
  items: RuleDto[];
}

class RuleResponse {
  @Output(ATTRIBUTE)
  attribute: string;
  @Output(OPERATOR)
  operator: string;
  @Output(VALUE)
  value: string;
  @Output(ROLES)
  roles: readonly string[];
}

export class RulesResponse {
  @Output(objectListField(() => RuleResponse, MAX_RULES))
  items: RuleResponse[];
}

class SampleAttributeDto {
  @Input(ATTRIBUTE)
  name: string;
  @Input.list({
    max: 2_000,
    itemMax: 500,
    pattern: /^[\s\S]{1,500}$/,
    message: 'must be a value of 500 characters at most',
    example: ['Engineering'],
  })
  values: string[];
}

export class PreviewRulesDto {
  @Input(objectListField(() => SampleAttributeDto, 100))
  attributes: SampleAttributeDto[];
}

export class RulesPreviewResponse {
  @Output(ROLES)
  roles: readonly string[];
  @Output.word(['admitted', 'refused', 'undecided'] as const, {
    description:
      'Of a person who is no member yet. `undecided`: there are too many values to compare; such a sign-in changes no roles and adds no member.',
  })
  outcome: string;
}

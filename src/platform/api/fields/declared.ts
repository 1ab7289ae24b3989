import { describeInput, describeOutput, type Field, type InputRules, type OutputRules } from './field.js';
import { listField } from './list-fields.js';
import { emailField, textField, ulidField, wordField } from './text-fields.js';
import { booleanField, dateField, integerField, numberField, timeField } from './value-fields.js';

type Declare<Rules> = (field: Field, rules: Rules) => PropertyDecorator;
type Usage = Pick<InputRules, 'optional' | 'nullable'> & Pick<OutputRules, 'required'>;
type WordRules<T extends string> = Parameters<typeof wordField<T>>[1];

/** Returns the kinds of fields that are declared where they are used, by one object of rules. */
function kindsOf<Rules extends Usage>(declare: Declare<Rules>) {
  const inline =
    <A extends readonly [object?]>(kind: (...rules: A) => Field) =>
    (...rules: { [N in keyof A]: A[N] & Rules }) =>
      declare(kind(...(rules as unknown as A)), usageOf(rules[0]) as Rules);
  return {
    boolean: inline(booleanField),
    date: inline(dateField),
    email: inline(emailField),
    integer: inline(integerField),
    list: inline(listField),
    number: inline(numberField),
    text: inline(textField),
    time: inline(timeField),
    ulid: inline(ulidField),
    word: <const T extends string>(words: readonly T[], rules?: WordRules<T> & Rules) =>
      declare(wordField(words, rules), usageOf(rules) as Rules),
  };
}

/** Returns the rules about the use of a field; the others are about its kind. */
function usageOf(rules: object = {}): Usage {
  const usages = Object.entries(rules).filter(([name]) => /^(?:optional|nullable|required)$/.test(name));
  return Object.fromEntries(usages) as Usage;
}

/**
 * Validates and documents a field of a request, declared once for several places or here:
 * `@Input(NAME)`, `@Input.text({ max: 50, example: 'Ada', optional: true })`. The value is never
 * converted.
 */
export const Input = Object.assign(
  describeInput,
  kindsOf<Pick<InputRules, 'optional' | 'nullable'>>(describeInput),
);

/**
 * Documents a field of a response, declared as one of a request is. Every field has a bound, so
 * that a client can size its columns; the API lint enforces it.
 */
export const Output = Object.assign(
  describeOutput,
  kindsOf<Pick<OutputRules, 'required' | 'nullable'>>(describeOutput),
);

import { isObject } from '../../../kernel/index.js';
import { described, type Field, type ItemRule } from './field.js';

export interface ListRules {
  readonly min?: number;
  readonly max: number;
  /** Pattern of each item; `message` describes it in the violation. */
  readonly pattern: RegExp;
  readonly message?: string;
  /** Maximum length of an item. */
  readonly itemMax?: number;
  readonly example: string[];
  readonly description?: string;
}

/** List of texts; each invalid item is one violation (`scopes[3]`). */
export function listField(rules: ListRules): Field {
  const { min = 0, max, pattern, message = 'has the wrong format', itemMax = 200 } = rules;
  return {
    schema: {
      type: 'array',
      items: { type: 'string', pattern: pattern.source, maxLength: itemMax },
      maxItems: max,
      example: rules.example,
      ...described(rules.description),
    },
    strict: { minItems: min },
    checks: [
      {
        name: 'list',
        message: { id: 'field.list', values: { min, max } },
        test: (value) => Array.isArray(value) && value.length >= min && value.length <= max,
      },
      {
        name: 'items',
        message,
        test: (value) => !Array.isArray(value) || badItems(value, pattern).length === 0,
        items: pattern,
      },
    ],
  };
}

/**
 * Object, with the fields of a class.
 * @param example where the examples of all its fields do not fit together
 */
export function objectField(object: () => new () => object, example?: object): Field {
  return {
    // The library calls a function only if its name is "type".
    schema: { type: () => object(), ...(example && { example }) },
    object,
    checks: [{ name: 'object', message: 'must be an object', test: isObject }],
  };
}

/** List of at most `max` objects, with the fields of a class. */
export function objectListField(item: () => new () => object, max: number, description?: string): Field {
  return {
    schema: { type: () => [item()], maxItems: max, ...described(description) },
    object: item,
    checks: [
      {
        name: 'objects',
        message: `must be a list of at most ${max} objects`,
        test: (value) => Array.isArray(value) && value.length <= max && value.every(isObject),
      },
    ],
  };
}

/** @returns the indexes of the items that do not match; no pattern matches what is no text */
export function badItems(list: readonly unknown[], rule: ItemRule): number[] {
  const isGood = (item: unknown) =>
    typeof rule === 'function' ? rule(item) : typeof item === 'string' && rule.test(item);
  return list.flatMap((item, n) => (isGood(item) ? [] : [n]));
}

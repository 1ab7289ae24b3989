import { described } from '../fields/field.js';

/** Schema of a text of a form. */
export const formText = (maxLength: number, pattern: string, description?: string) => ({
  type: 'string' as const,
  maxLength,
  pattern,
  ...described(description),
});

interface FormRules {
  readonly required?: string[];
  readonly example?: Readonly<Record<string, string>>;
  readonly examples?: Record<string, { summary: string; value: Readonly<Record<string, string>> }>;
}

/** Documents a form as the body of a request. @param texts schemas by their names */
export function documentedForm<T extends { readonly type: 'string' }>(
  texts: Record<string, T>,
  { required, ...examples }: FormRules = {},
) {
  const schema = { type: 'object' as const, ...(required && { required }), properties: texts };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema, ...examples } } };
}

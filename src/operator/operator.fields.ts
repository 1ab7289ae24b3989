import { integerField, textField } from '../platform/api/index.js';

/** Who has started an action or an import. */
export const OPERATOR_NAME = textField({
  max: 2_048,
  description: 'Name, or else address, as it is now; null for a program, or if it is gone.',
  example: 'Ada Lovelace',
});

export const countField = (description: string, example: number) =>
  integerField({ min: 0, max: 2_147_483_647, description, example });

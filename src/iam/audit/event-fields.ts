import { listField, ulidField } from '../../platform/api/index.js';

/** Fields that the data of events of several modules have. */
export const USER_ID = ulidField({
  description: 'The person.',
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
});

export const CHANGED = listField({
  max: 20,
  itemMax: 50,
  pattern: /^[a-zA-Z]{1,50}$/,
  description: 'Names of the changed fields.',
  example: ['name'],
});

/** @returns the names of the fields that a change gives */
export const namesOfGiven = (changes: object): string[] =>
  Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));

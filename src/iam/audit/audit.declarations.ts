import { listField, Tag, textField, ulidField } from '../../platform/api/index.js';

/** Groups operations under the API tag "Audit trail". */
export const AuditTag = () =>
  Tag('Audit trail', 'What was done, by whom, to what. Append-only, with ids instead of personal data.');

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

/**
 * Number of a case in the ticket system of support, or its address. No space and no `@`: the audit
 * trail keeps it for good, and must not say who a person is.
 */
export const TICKET = textField({
  min: 1,
  max: 100,
  pattern: '^[#A-Za-z0-9][\\w#./:-]*$',
  description: 'Number of the case at support, for which an operator acts. The person can read it.',
  example: 'SUP-4711',
});

/** @returns the names of the fields that a change gives */
export const namesOfGiven = (changes: object): string[] =>
  Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));

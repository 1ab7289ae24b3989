import { declareMessages } from '../../messages/index.js';

/** What a valid value must be. */
const messages = declareMessages({
  'field.text': 'must be a text of {min} to {max} characters without control characters, and not blank',
  'field.password': 'must be a text of {min} to {max} characters without control characters',
  'field.email': 'must be an email address',
  'field.integer': 'must be a whole number from {min} to {max}',
  'field.number': 'must be a number from {min} to {max}',
  'field.boolean': 'must be true or false',
  'field.time': 'must be a time in UTC, such as 2026-11-21T09:00:00Z',
  'field.date': 'must be a date, such as 2026-11-21',
  'field.list': 'must be a list of {min} to {max} texts',
});

declare module '../../messages/index.js' {
  interface MessageIds extends Readonly<typeof messages> {}
}

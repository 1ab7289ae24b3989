import { Input, textField } from '../../platform/api/index.js';

/** Query of the stream of an audit trail, and of its anchors. */
export class StreamQuery {
  @Input(
    textField({
      max: 15,
      pattern: /^\d{1,15}$/,
      shape: 'a number of at most 15 digits',
      description: 'Number of the last entry that was read. Without it, begins with the first.',
      example: '42',
    }),
    { optional: true },
  )
  after?: string;

  @Input(
    textField({
      max: 4,
      pattern: /^(?:[1-9]\d{0,2}|[1-4]\d{3}|5000)$/,
      shape: 'a number from 1 to 5000',
      description: 'Maximum number of lines; 1000 by default.',
      example: '5000',
    }),
    { optional: true },
  )
  limit?: string;
}

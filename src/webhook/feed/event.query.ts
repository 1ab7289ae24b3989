import { Input, textField } from '../../platform/api/index.js';

/** Query of the feed. */
export class EventsQuery {
  @Input(
    textField({
      max: 30,
      pattern: /^[\w-]{1,30}$/,
      shape: 'a nextCursor of the feed',
      description: 'nextCursor of the previous page. Without it, the feed begins 30 days back.',
      example: 'NDI',
    }),
    { optional: true },
  )
  cursor?: string;

  @Input(
    textField({
      max: 1_000,
      pattern: /^[a-z.*-]+(?:,[a-z.*-]+)*$/,
      shape: 'types, or beginnings such as iam.member.*, separated by commas',
      description:
        'Lists only these types: names, or beginnings such as `iam.member.*`, separated by commas.',
      example: 'iam.member.*',
    }),
    { optional: true },
  )
  types?: string;

  @Input(
    textField({
      max: 3,
      pattern: /^(?:[1-9]\d?|100)$/,
      shape: 'a number from 1 to 100',
      example: '50',
      description: 'Maximum number of items.',
    }),
    { optional: true },
  )
  limit?: string;
}

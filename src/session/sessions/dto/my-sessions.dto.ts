import { Input, integerField, textField } from '../../../platform/api/index.js';

/** Query of the list of sessions, in addition to the page's. */
export class MySessionsQuery {
  @Input(
    textField({
      max: 100,
      description: 'Part of the name of browser or system, or beginning of the address.',
      example: 'Firefox',
    }),
    { optional: true },
  )
  query?: string;
}

export class EndInactiveSessionsDto {
  @Input(
    integerField({
      min: 1,
      max: 365,
      description: 'Ends the sessions that no client has used for this number of days.',
      example: 30,
    }),
  )
  days: number;
}

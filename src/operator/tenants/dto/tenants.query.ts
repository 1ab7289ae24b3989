import { Input, textField } from '../../../platform/api/index.js';

/** Query of the list of organizations, in addition to the page's. */
export class TenantsQuery {
  @Input(
    textField({
      max: 200,
      description: 'An id, or the beginning of the name, whatever case and accents.',
      example: 'lovelace',
    }),
    { optional: true },
  )
  query?: string;
}

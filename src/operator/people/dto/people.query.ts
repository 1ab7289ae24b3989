import { Input, textField, ulidField, wordField } from '../../../platform/api/index.js';

/** Query of the list of people, in addition to the page's. At most one field. */
export class PeopleQuery {
  @Input(
    textField({
      max: 254,
      description:
        'An id, an address, `@` and a domain, or any part of names and address. Fewer than three Latin letters or digits are the beginning of an address, or else of a first name.',
      example: 'lovela',
    }),
    { optional: true },
  )
  query?: string;

  @Input(
    textField({
      max: 100,
      description: 'Beginning of the first name, whatever case and accents.',
      example: 'ada',
    }),
    { optional: true },
  )
  name?: string;

  @Input(ulidField({ description: 'Members of this organization.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' }), {
    optional: true,
  })
  tenantId?: string;

  @Input(
    ulidField({
      description: 'People who can sign in by this connection.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0C1',
    }),
    { optional: true },
  )
  connectionId?: string;

  @Input(wordField(['suspended'], { description: 'People whose account is suspended.' }), { optional: true })
  status?: 'suspended';
}

import { Output, textField } from '../../platform/api/index.js';

/** Claims about the person, by the scopes of the token (OpenID Connect Core section 5.4). */
export class UserinfoResponse {
  @Output.text({
    max: 43,
    pattern: '^[\\w-]+$',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
    description: 'Id of the account, or the identifier for this client (`pairwise`).',
  })
  sub: string;
  @Output(textField({ max: 201, example: 'Ada Lovelace' }), {
    required: false,
    description: 'With `profile`: the name as it is shown.',
  })
  name?: string;
  @Output.text({ required: false, max: 100, example: 'Ada' })
  given_name?: string;
  @Output.text({ required: false, max: 100, example: 'Lovelace' })
  family_name?: string;
  @Output.text({ required: false, max: 35, example: 'de' })
  locale?: string;
  @Output.text({
    required: false,
    max: 254,
    example: 'ada@example.com',
    description:
      'With `profile`: the address, if `email` is asked for too; the number of a worker without one.',
  })
  preferred_username?: string;
  @Output.email({ required: false, description: 'With `email`, of a person who has an address.' })
  email?: string;
  @Output.boolean({ required: false, example: true })
  email_verified?: boolean;
  @Output.ulid({ required: false, description: 'With `tenant`: the organization.' })
  tid?: string;
  @Output.list({ required: false, max: 200, pattern: /^[\w:-]+$/, example: ['member'] })
  roles?: string[];
}

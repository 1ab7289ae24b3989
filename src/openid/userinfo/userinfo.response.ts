import {
  booleanField,
  emailField,
  listField,
  Output,
  textField,
  ulidField,
} from '../../platform/api/index.js';

/** Claims about the person, by the scopes of the token (OpenID Connect Core section 5.4). */
export class UserinfoResponse {
  @Output(
    textField({
      max: 43,
      pattern: '^[\\w-]+$',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2',
      description: 'Id of the account, or the identifier for this client (`pairwise`).',
    }),
  )
  sub: string;
  @Output(textField({ max: 201, example: 'Ada Lovelace' }), {
    required: false,
    description: 'With `profile`: the name as it is shown.',
  })
  name?: string;
  @Output(textField({ max: 100, example: 'Ada' }), { required: false })
  given_name?: string;
  @Output(textField({ max: 100, example: 'Lovelace' }), { required: false })
  family_name?: string;
  @Output(textField({ max: 35, example: 'de' }), { required: false })
  locale?: string;
  @Output(
    textField({
      max: 254,
      example: 'ada@example.com',
      description:
        'With `profile`: the address, if `email` is asked for too; the number of a worker without one.',
    }),
    { required: false },
  )
  preferred_username?: string;
  @Output(emailField({ description: 'With `email`, of a person who has an address.' }), { required: false })
  email?: string;
  @Output(booleanField({ example: true }), { required: false })
  email_verified?: boolean;
  @Output(ulidField({ description: 'With `tenant`: the organization.' }), { required: false })
  tid?: string;
  @Output(listField({ max: 200, pattern: /^[\w:-]+$/, example: ['member'] }), { required: false })
  roles?: string[];
}

import { Input, objectField, textField, wordField } from '../../../platform/api/index.js';
import { KEY_NAME } from '../../keys/key.fields.js';

const EXAMPLE_OF_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** Public JSON Web Key (RFC 7517), with the members of any kind of key. */
class JwkDto {
  @Input(wordField(['EC', 'RSA', 'OKP']))
  kty: 'EC' | 'RSA' | 'OKP';
}

export class CreateClientCredentialDto {
  @Input(
    wordField(['secret', 'public_key'], {
      description: '`secret`: for `client_secret_basic`. `public_key`: for `private_key_jwt`.',
    }),
  )
  kind: 'secret' | 'public_key';

  @Input(KEY_NAME, { optional: true })
  name?: string;

  @Input(objectField(() => JwkDto, EXAMPLE_OF_KEY), {
    optional: true,
    description: 'Public JSON Web Key (RFC 7517) of a `public_key`.',
  })
  jwk?: JwkDto;

  @Input(
    textField({
      max: 500,
      pattern: /^https?:\/\/\S{1,490}$/,
      shape: 'an https address',
      description: 'Where the keys of a `public_key` are published, in place of `jwk`.',
      example: 'https://ci.example.com/jwks.json',
    }),
    { optional: true },
  )
  jwksUri?: string;
}

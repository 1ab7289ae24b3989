import { API_KEY_PATTERN } from '../../platform/crypto/index.js';
import { Input, objectField, Output, textField, timeField, wordField } from '../../platform/api/index.js';
import type { Credential } from '../keys/credential.repository.js';
import { KEY_ID, KEY_NAME } from '../keys/key.dto.js';
import { ACCOUNT_ID } from '../machine.fields.js';

export class ClientCredentialResponse {
  @Output(KEY_ID)
  id: string;
  @Output(wordField(['secret', 'public_key']))
  kind: string;
  @Output(KEY_NAME)
  name: string;
  @Output(ACCOUNT_ID, { description: 'Client id at the token endpoint: the id of the service account.' })
  clientId: string;
  @Output(textField({ max: 500, example: 'https://ci.example.com/jwks.json' }), { nullable: true })
  jwksUri: string | null;
  @Output(timeField())
  createdAt: string;
  @Output(timeField({ description: 'When a `secret` ends; null for never.' }), { nullable: true })
  expiresAt: string | null;
  @Output(timeField({ description: 'Last use, to the minute.' }), { nullable: true })
  lastUsedAt: string | null;

  static from(credential: Credential): ClientCredentialResponse {
    const { id, kind, name, ownerId, jwksUri, createdAt, expiresAt, lastUsedAt } = credential;
    return {
      id,
      kind: kind === 'secret' ? 'secret' : 'public_key',
      name,
      clientId: ownerId,
      jwksUri,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  }
}

export class CreatedClientCredentialResponse extends ClientCredentialResponse {
  @Output(
    textField({
      max: 100,
      description: 'Of a `secret`; null for a `public_key`. Cannot be read again.',
      pattern: `^${API_KEY_PATTERN}$`,
      example: 'gh_cs_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u_0000aB',
    }),
    { nullable: true },
  )
  clientSecret: string | null;
}

const EXAMPLE_OF_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** Base64url of a number or coordinate; 700 characters suffice for RSA keys of 4096 bits. */
const numberField = (example: string) => textField({ max: 700, example });

/** Public JSON Web Key (RFC 7517), with the members of any kind of key. */
export class JwkDto {
  @Input(wordField(['EC', 'RSA', 'OKP']))
  kty: 'EC' | 'RSA' | 'OKP';
  @Input(wordField(['P-256', 'P-384', 'Ed25519']), { optional: true })
  crv?: 'P-256' | 'P-384' | 'Ed25519';
  @Input(numberField(EXAMPLE_OF_KEY.x), { optional: true })
  x?: string;
  @Input(numberField(EXAMPLE_OF_KEY.y), { optional: true })
  y?: string;
  @Input(
    numberField('0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc'),
    {
      optional: true,
    },
  )
  n?: string;
  @Input(numberField('AQAB'), { optional: true })
  e?: string;
  @Input(textField({ max: 200, example: '2026-11' }), { optional: true })
  kid?: string;
  @Input(textField({ max: 20, example: 'ES256' }), { optional: true })
  alg?: string;
  @Input(textField({ max: 20, example: 'sig' }), { optional: true })
  use?: string;
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

  @Input(
    timeField({
      description:
        'When a `secret` ends. null for never, which is the default unless the organization limits the lifetime of keys.',
    }),
    { optional: true, nullable: true, example: '2036-11-21T09:00:00.000Z' },
  )
  expiresAt?: string | null;

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

import { API_KEY_PATTERN } from '../../platform/crypto/index.js';
import { Input, objectField, Output, textField, timeField, toResponse } from '../../platform/api/index.js';
import type { Credential } from '../keys/credential.repository.js';
import { KEY_ID, KEY_NAME } from '../keys/key.dto.js';
import { ACCOUNT_ID } from '../machine.declarations.js';

export class ClientCredentialResponse {
  @Output(KEY_ID)
  id: string;
  @Output.word(['secret', 'public_key'])
  kind: string;
  @Output(KEY_NAME)
  name: string;
  @Output(ACCOUNT_ID, { description: 'Client id at the token endpoint: the id of the service account.' })
  clientId: string;
  @Output.text({ nullable: true, max: 500, example: 'https://ci.example.com/jwks.json' })
  jwksUri: string | null;
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true, description: 'When a `secret` ends; null for never.' })
  expiresAt: string | null;
  @Output.time({ nullable: true, description: 'Last use, to the minute.' })
  lastUsedAt: string | null;

  static from(credential: Credential): ClientCredentialResponse {
    return toResponse(ClientCredentialResponse, {
      ...credential,
      kind: credential.kind === 'secret' ? 'secret' : 'public_key',
      clientId: credential.ownerId,
    });
  }
}

export class CreatedClientCredentialResponse extends ClientCredentialResponse {
  @Output.text({
    nullable: true,
    max: 100,
    description: 'Of a `secret`; null for a `public_key`. Cannot be read again.',
    pattern: `^${API_KEY_PATTERN}$`,
    example: 'gh_cs_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u_0000aB',
  })
  clientSecret: string | null;
}

const EXAMPLE_OF_KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

/** Base64url of a number or coordinate; 700 characters suffice for RSA keys of 4096 bits. */
const base64urlField = (example: string) => textField({ max: 700, example });

/** Public JSON Web Key (RFC 7517), with the members of any kind of key. */
export class JwkDto {
  @Input.word(['EC', 'RSA', 'OKP'])
  kty: 'EC' | 'RSA' | 'OKP';
  @Input.word(['P-256', 'P-384', 'Ed25519'], { optional: true })
  crv?: 'P-256' | 'P-384' | 'Ed25519';
  @Input(base64urlField(EXAMPLE_OF_KEY.x), { optional: true })
  x?: string;
  @Input(base64urlField(EXAMPLE_OF_KEY.y), { optional: true })
  y?: string;
  @Input(
    base64urlField('0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc'),
    { optional: true },
  )
  n?: string;
  @Input(base64urlField('AQAB'), { optional: true })
  e?: string;
  @Input.text({ optional: true, max: 200, example: '2026-11' })
  kid?: string;
  @Input.text({ optional: true, max: 20, example: 'ES256' })
  alg?: string;
  @Input.text({ optional: true, max: 20, example: 'sig' })
  use?: string;
}

export class CreateClientCredentialDto {
  @Input.word(['secret', 'public_key'], {
    description: '`secret`: for `client_secret_basic`. `public_key`: for `private_key_jwt`.',
  })
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

  @Input.text({
    optional: true,
    max: 500,
    pattern: /^https?:\/\/\S{1,490}$/,
    shape: 'an https address',
    description: 'Where the keys of a `public_key` are published, in place of `jwk`.',
    example: 'https://ci.example.com/jwks.json',
  })
  jwksUri?: string;
}

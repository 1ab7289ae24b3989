import { API_KEY_PATTERN } from '../../platform/crypto/index.js';
import { Output, textField, timeField, wordField } from '../../platform/api/index.js';
import type { Credential } from '../keys/credential.repository.js';
import { KEY_ID, KEY_NAME } from '../keys/key.fields.js';
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

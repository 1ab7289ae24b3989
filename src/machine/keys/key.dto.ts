import { SCOPE_SHAPE } from '../../ability/index.js';
import {
  Input,
  listField,
  Output,
  textField,
  timeField,
  ulidField,
  wordField,
  toResponse,
} from '../../platform/api/index.js';
import { KEY_END_REASONS, KIND_OF_OWNER, type KeyEndReason } from './credential.entity.js';
import type { Credential, EndedKey } from './credential.repository.js';

export const KEY_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T6' });
export const KEY_NAME = textField({ max: 100, example: 'Nightly export' });
export const KEY_SCOPES = listField({
  min: 1,
  max: 200,
  pattern: SCOPE_SHAPE,
  message: 'must have the shape <module>:<entity>:<action>',
  description: 'Restricts the roles of the owner; null for all that they give.',
  example: ['iam:member:read'],
});
export const NETWORKS = listField({
  max: 20,
  itemMax: 50,
  pattern: /^[0-9a-fA-F.:]{2,45}(?:\/\d{1,3})?$/,
  message: 'must be a network such as 203.0.113.0/24',
  description: 'Networks (CIDR) from which it is accepted; empty for any.',
  example: ['203.0.113.0/24'],
});
const EXPIRES_AT = timeField({
  description: 'When it ends. By default after 90 days; null for never.',
});
const KEY = textField({
  max: 100,
  pattern: '^gh_(?:sa|me)_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$',
  description: 'The key. Cannot be read again.',
  example: 'gh_sa_4Xq0Zt81LM_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0u_0000aB',
});
const HINT = textField({
  max: 30,
  description: 'Beginning of the key, by which its holders recognize it.',
  example: 'gh_sa_4Xq0Zt81LM',
});

const KEY_END_REASON = wordField(KEY_END_REASONS, {
  description:
    '`revoked`: by `endedBy`. `operator`: by an operator of the service. `leaked`: reported as found in public.',
});

const KEY_REFUSALS = ['second_factor', 'single_sign_on'] as const;
export type KeyRefusal = (typeof KEY_REFUSALS)[number];

/** A key of a person, with what its organization misses in the sign-in that made it. */
export type PersonalKey = Credential & { readonly refusedFor: KeyRefusal | null };

const REFUSED_FOR = wordField(KEY_REFUSALS, {
  description:
    'What the organization asks for now and the sign-in that made the key had not; it refuses the key. Make a new one. Null if it accepts it.',
});

class NamedKeyResponse {
  @Output(KEY_ID)
  id: string;
  @Output(KEY_NAME)
  name: string;
  @Output(HINT)
  hint: string;
}

class KeyResponse extends NamedKeyResponse {
  @Output(KEY_SCOPES, { nullable: true })
  scopes: string[] | null;
  @Output.time()
  createdAt: string;
  @Output(EXPIRES_AT, { nullable: true })
  expiresAt: string | null;
  @Output.time({ nullable: true, description: 'Last use, to the minute.' })
  lastUsedAt: string | null;
}

export class ApiKeyResponse extends KeyResponse {
  @Output(NETWORKS)
  networks: string[];
  @Output.ulid({ description: 'Who created it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  createdBy: string;

  static from(key: Credential): ApiKeyResponse {
    return toResponse(ApiKeyResponse, { ...key, hint: hintOf(key) });
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @Output(KEY)
  key: string;
}

export class EndedApiKeyResponse extends NamedKeyResponse {
  @Output(NETWORKS)
  networks: string[];
  @Output.time()
  createdAt: string;
  @Output.time({ nullable: true, description: 'Last use, to the minute.' })
  lastUsedAt: string | null;
  @Output.time({ description: 'When it was ended.' })
  endedAt: string;
  @Output(KEY_END_REASON)
  reason: KeyEndReason;
  @Output.ulid({ nullable: true, description: 'Who ended it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  endedBy: string | null;
  @Output.text({
    nullable: true,
    max: 320,
    description: 'Name or address of who ended it, as it is now.',
    example: 'Ada Lovelace',
  })
  endedByName: string | null;

  static from(key: EndedKey): EndedApiKeyResponse {
    return toResponse(EndedApiKeyResponse, {
      ...key,
      hint: hintOf({ ...key, ownerKind: 'service-account' }),
    });
  }
}

export class PersonalKeyResponse extends KeyResponse {
  @Output.ulid({ description: 'Organization in which it acts.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  tenantId: string;
  @Output(REFUSED_FOR, { nullable: true })
  refusedFor: KeyRefusal | null;

  static from(key: PersonalKey): PersonalKeyResponse {
    return toResponse(PersonalKeyResponse, { ...key, hint: hintOf(key) });
  }
}

export class CreatedPersonalKeyResponse extends PersonalKeyResponse {
  @Output(KEY)
  key: string;
}

const hintOf = ({ ownerKind, lookup }: Pick<Credential, 'ownerKind' | 'lookup'>): string =>
  `gh_${KIND_OF_OWNER[ownerKind]}_${lookup ?? ''}`;

class NewKeyDto {
  @Input(KEY_NAME)
  name: string;

  @Input(EXPIRES_AT, { optional: true, nullable: true, example: '2036-11-21T09:00:00.000Z' })
  expiresAt?: string | null;

  @Input(KEY_SCOPES, { optional: true, nullable: true })
  scopes?: string[] | null;
}

export class CreateApiKeyDto extends NewKeyDto {
  @Input(NETWORKS, { optional: true })
  networks?: string[];
}

export class CreatePersonalKeyDto extends NewKeyDto {
  @Input.ulid({ description: 'Organization in which it acts.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  tenantId: string;
}

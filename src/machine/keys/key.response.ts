import { Output, textField, timeField, ulidField } from '../../platform/api/index.js';
import type { Credential, EndedKey } from './credential.repository.js';
import type { KeyEndReason } from './ended-key.entity.js';
import {
  EXPIRES_AT,
  HINT,
  KEY,
  KEY_END_REASON,
  KEY_ID,
  KEY_NAME,
  KEY_SCOPES,
  type KeyRefusal,
  NETWORKS,
  REFUSED_FOR,
} from './key.fields.js';
import type { PersonalKey } from './personal-key.service.js';

const KINDS = { 'service-account': 'sa', person: 'me' } as const;

class KeyResponse {
  @Output(KEY_ID)
  id: string;
  @Output(KEY_NAME)
  name: string;
  @Output(HINT)
  hint: string;
  @Output(KEY_SCOPES, { nullable: true })
  scopes: string[] | null;
  @Output(timeField())
  createdAt: string;
  @Output(EXPIRES_AT, { nullable: true })
  expiresAt: string | null;
  @Output(timeField({ description: 'Last use, to the minute.' }), { nullable: true })
  lastUsedAt: string | null;
}

export class ApiKeyResponse extends KeyResponse {
  @Output(NETWORKS)
  networks: string[];
  @Output(ulidField({ description: 'Who created it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }))
  createdBy: string;

  static from(key: Credential): ApiKeyResponse {
    return { ...fieldsOf(key), networks: key.networks, createdBy: key.createdBy };
  }
}

export class CreatedApiKeyResponse extends ApiKeyResponse {
  @Output(KEY)
  key: string;
}

export class EndedApiKeyResponse {
  @Output(KEY_ID)
  id: string;
  @Output(KEY_NAME)
  name: string;
  @Output(HINT)
  hint: string;
  @Output(NETWORKS)
  networks: string[];
  @Output(timeField())
  createdAt: string;
  @Output(timeField({ description: 'Last use, to the minute.' }), { nullable: true })
  lastUsedAt: string | null;
  @Output(timeField({ description: 'When it was ended.' }))
  endedAt: string;
  @Output(KEY_END_REASON)
  reason: KeyEndReason;
  @Output(ulidField({ description: 'Who ended it.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }), {
    nullable: true,
  })
  endedBy: string | null;
  @Output(
    textField({
      max: 320,
      description: 'Name or address of who ended it, as it is now.',
      example: 'Ada Lovelace',
    }),
    {
      nullable: true,
    },
  )
  endedByName: string | null;

  static from(key: EndedKey): EndedApiKeyResponse {
    const { id, name, lookup, networks, createdAt, lastUsedAt, endedAt, reason, endedBy, endedByName } = key;
    return {
      id,
      name,
      hint: `gh_${KINDS['service-account']}_${lookup}`,
      networks,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      endedAt: endedAt.toISOString(),
      reason,
      endedBy,
      endedByName,
    };
  }
}

export class PersonalKeyResponse extends KeyResponse {
  @Output(ulidField({ description: 'Organization in which it acts.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  tenantId: string;
  @Output(REFUSED_FOR, { nullable: true })
  refusedFor: KeyRefusal | null;

  static from(key: PersonalKey): PersonalKeyResponse {
    return { ...fieldsOf(key), tenantId: key.tenantId, refusedFor: key.refusedFor };
  }
}

export class CreatedPersonalKeyResponse extends PersonalKeyResponse {
  @Output(KEY)
  key: string;
}

function fieldsOf(key: Credential): KeyResponse {
  const { id, name, lookup, ownerKind, scopes, createdAt, expiresAt, lastUsedAt } = key;
  return {
    id,
    name,
    hint: `gh_${KINDS[ownerKind]}_${lookup ?? ''}`,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

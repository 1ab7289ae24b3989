import { Output, timeField, ulidField, wordField } from '../../platform/api/index.js';
import {
  INTENTS,
  LINK_CONNECTION_ID,
  LINK_EXPIRES_AT,
  SETUP_LINK_ID,
  SETUP_URL,
} from './setup-link.fields.js';
import type { ListedLink } from './setup-link.repository.js';
import type { CreatedLink } from './setup-link.service.js';

export class CreatedSetupLinkResponse {
  @Output(SETUP_LINK_ID)
  id: string;
  @Output(SETUP_URL)
  url: string;
  @Output(LINK_EXPIRES_AT)
  expiresAt: string;

  static from({ id, url, expiresAt }: CreatedLink): CreatedSetupLinkResponse {
    return { id, url, expiresAt: expiresAt.toISOString() };
  }
}

/** A link, without its address. */
export class SetupLinkResponse {
  @Output(SETUP_LINK_ID)
  id: string;
  @Output(INTENTS)
  intents: readonly string[];
  @Output(LINK_CONNECTION_ID, {
    nullable: true,
    description: 'The only connection that the link reaches; null until it has created one.',
  })
  connectionId: string | null;
  @Output(wordField(['active', 'revoked', 'expired'] as const, { description: 'Only an active one works.' }))
  status: string;
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2', description: 'Person who created it.' }))
  createdBy: string;
  @Output(timeField())
  createdAt: string;
  @Output(LINK_EXPIRES_AT)
  expiresAt: string;
  @Output(timeField({ description: 'Time of the last request, to the minute; null before the first.' }), {
    nullable: true,
  })
  lastUsedAt: string | null;

  static from(link: ListedLink): SetupLinkResponse {
    const { id, intents, connectionId, createdBy, createdAt, expiresAt, lastUsedAt } = link;
    return {
      id,
      intents,
      connectionId,
      status: statusOf(link),
      createdBy,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    };
  }
}

function statusOf({ revokedAt, isExpired }: ListedLink): string {
  if (revokedAt !== null) return 'revoked';
  return isExpired ? 'expired' : 'active';
}

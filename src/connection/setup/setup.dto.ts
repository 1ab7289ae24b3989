import {
  Input,
  listField,
  objectField,
  objectListField,
  Output,
  PickType,
  timeField,
  ulidField,
  toResponse,
} from '../../platform/api/index.js';
import { SETUP_INTENTS, type SetupIntent } from './setup-link.entity.js';
import type { ListedLink } from './setup-link.repository.js';
import type { CreatedLink } from './setup-link.service.js';
import { LookResponse } from '../../iam/index.js';
import type { Settings } from '../../platform/config/index.js';
import { CreateConnectionDto, UpdateConnectionDto } from '../connections/connection.dto.js';
import { ConnectionChangeResponse, ConnectionResponse } from '../connections/connection.response.js';
import type { ShownConnection } from '../connections/connection.service.js';
import { DomainResponse } from '../domains/domain.dto.js';

const SETUP_LINK_ID = ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T4' });

const INTENTS = listField({
  min: 1,
  max: SETUP_INTENTS.length,
  itemMax: 20,
  pattern: /^(?:sso|domain|directory|certificate)$/,
  message: `must be one of ${SETUP_INTENTS.join(', ')}`,
  example: ['domain', 'sso'],
  description:
    'What the link is for. `sso`: settings of one connection, and test sign-ins. `domain`: domains and their verification. `directory`: one directory and its tokens. `certificate`: certificates of the connection; new ones of an active connection wait for an owner.',
});

const LINK_CONNECTION_ID = ulidField({
  example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1',
  description: 'The only connection that the link reaches. Left out: the one that it creates.',
});

const LINK_EXPIRES_AT = timeField({ description: 'Time from which the link is refused.' });

export class CreatedSetupLinkResponse {
  @Output(SETUP_LINK_ID)
  id: string;
  @Output.text({
    max: 500,
    format: 'uri',
    example: 'https://gatehouse.example/setup/gh_setup_4fJ0qLx81Z_7GdkP0sYwRzq2VnB5mXc9JtLh3Ee6Fa1_0Q2w3E',
    description: 'The link. Cannot be read again.',
  })
  url: string;
  @Output(LINK_EXPIRES_AT)
  expiresAt: string;

  static from(link: CreatedLink): CreatedSetupLinkResponse {
    return toResponse(CreatedSetupLinkResponse, link);
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
  @Output.word(['active', 'revoked', 'expired'] as const, { description: 'Only an active one works.' })
  status: string;
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2', description: 'Person who created it.' })
  createdBy: string;
  @Output.time()
  createdAt: string;
  @Output(LINK_EXPIRES_AT)
  expiresAt: string;
  @Output.time({
    nullable: true,
    description: 'Time of the last request, to the minute; null before the first.',
  })
  lastUsedAt: string | null;

  static from(link: ListedLink): SetupLinkResponse {
    return toResponse(SetupLinkResponse, { ...link, status: statusOf(link) });
  }
}

function statusOf({ revokedAt, isExpired }: ListedLink): string {
  if (revokedAt !== null) return 'revoked';
  return isExpired ? 'expired' : 'active';
}

export class CreateSetupLinkDto {
  @Input(INTENTS)
  intents: SetupIntent[];

  @Input(LINK_CONNECTION_ID, { optional: true, nullable: true, example: null })
  connectionId?: string | null;

  @Input.email({ optional: true, description: 'Address to mail the link to.' })
  email?: string;
}

/** A change that waits, without who requested it. */
class SetupChangeResponse extends PickType(ConnectionChangeResponse, [
  'id',
  'kind',
  'sha256',
  'requestedAt',
] as const) {}

/** What an IT contact needs of a connection: no secret, no roles, no sign-ins of people. */
export class SetupConnectionResponse extends PickType(ConnectionResponse, [
  'id',
  'kind',
  'name',
  'status',
  'domainIds',
  'settings',
  'serviceProvider',
  'certificates',
] as const) {
  @Output(objectListField(() => SetupChangeResponse, 10), {
    description: 'Changes that an owner of the organization has to confirm.',
  })
  waiting: readonly SetupChangeResponse[];

  /** @param addresses of this service and of the app */
  static of(
    connection: ShownConnection,
    addresses: Pick<Settings, 'PUBLIC_URL' | 'APP_URL'>,
  ): SetupConnectionResponse {
    return toResponse(SetupConnectionResponse, {
      ...ConnectionResponse.from(connection, addresses),
      waiting: connection.waiting.map((change) =>
        toResponse(SetupChangeResponse, ConnectionChangeResponse.from(change)),
      ),
    });
  }
}

class SetupOrganizationResponse {
  @Output.text({ max: 200, example: 'Lovelace Logistics' })
  name: string;
}

export class SetupResponse {
  @Output(objectField(() => SetupOrganizationResponse))
  organization: SetupOrganizationResponse;
  @Output(INTENTS)
  intents: readonly string[];
  @Output(objectField(() => SetupConnectionResponse), {
    nullable: true,
    description: 'The only connection that the link reaches; null until it has created one.',
  })
  connection: SetupConnectionResponse | null;
  @Output(LINK_EXPIRES_AT)
  expiresAt: string;
  /** Left out if the organization has no own look. */
  @Output(objectField(() => LookResponse), { required: false })
  branding?: LookResponse;
}

export class SetupDomainsResponse {
  @Output(objectListField(() => DomainResponse, 100))
  items: DomainResponse[];
}

/** Names the fields: roles and further settings of a connection are only for the organization. */
export class CreateSetupConnectionDto extends PickType(CreateConnectionDto, [
  'kind',
  'name',
  'domainIds',
  'settings',
] as const) {}

export class UpdateSetupConnectionDto extends PickType(UpdateConnectionDto, [
  'name',
  'domainIds',
  'settings',
] as const) {}

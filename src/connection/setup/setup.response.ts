import { LookResponse } from '../../iam/index.js';
import { objectField, objectListField, Output, PickType } from '../../platform/api/index.js';
import type { Settings } from '../../platform/config/index.js';
import { ConnectionChangeResponse, ConnectionResponse } from '../connections/connection.response.js';
import type { ShownConnection } from '../connections/connection.service.js';
import { DomainResponse } from '../domains/domain.response.js';
import { INTENTS, LINK_EXPIRES_AT, ORGANIZATION_NAME } from './setup-link.fields.js';

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

  /** @param addresses those of this service and of the app */
  static of(
    connection: ShownConnection,
    addresses: Pick<Settings, 'PUBLIC_URL' | 'APP_URL'>,
  ): SetupConnectionResponse {
    const { id, kind, name, status, domainIds, settings, serviceProvider, certificates } =
      ConnectionResponse.from(connection, addresses);
    const waiting = connection.waiting.map((change) => {
      const { id: changeId, kind: what, sha256, requestedAt } = ConnectionChangeResponse.from(change);
      return { id: changeId, kind: what, sha256, requestedAt };
    });
    const shown = { id, kind, name, status, domainIds, settings, serviceProvider, waiting };
    return { ...shown, ...(certificates && { certificates }) };
  }
}

class SetupOrganizationResponse {
  @Output(ORGANIZATION_NAME)
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

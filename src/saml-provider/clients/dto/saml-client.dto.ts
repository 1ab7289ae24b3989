import { CLIENT_ID, FIRST_PARTY, SATELLITE_NAME } from '../../../client/index.js';
import { Input } from '../../../platform/api/index.js';
import type { LogoutBinding, NameIdFormat } from '../saml-values.js';
import {
  ATTRIBUTES,
  BACKCHANNEL_LOGOUT_URL,
  CERTIFICATES,
  ConsumerDto,
  CONSUMERS,
  DEFAULT_RELAY_STATE,
  ENTITY_ID,
  IDP_INITIATED,
  LOGOUT_BINDING,
  LOGOUT_URL,
  NAME_ID_FORMAT,
  ReleasedAttributeDto,
  REQUIRE_SIGNED,
  SP_METADATA,
} from '../saml-client.fields.js';

/** Settings of SAML; omitted ones have a default, or do not change. */
export class UpdateSamlClientDto {
  @Input(SP_METADATA, { optional: true })
  metadata?: string;

  @Input(ENTITY_ID, { optional: true })
  entityId?: string;

  @Input(CONSUMERS, { optional: true, description: 'Where responses are posted; the first one by default.' })
  consumers?: ConsumerDto[];

  @Input(CERTIFICATES, { optional: true })
  certificates?: string[];

  @Input(REQUIRE_SIGNED, { optional: true })
  requireSignedRequests?: boolean;

  @Input(NAME_ID_FORMAT, { optional: true })
  nameIdFormat?: NameIdFormat;

  @Input(ATTRIBUTES, {
    optional: true,
    description: 'Attributes of assertions. By default address and names.',
  })
  attributes?: ReleasedAttributeDto[];

  @Input(LOGOUT_URL, { optional: true, nullable: true })
  logoutUrl?: string | null;

  @Input(LOGOUT_BINDING, { optional: true, nullable: true })
  logoutBinding?: LogoutBinding | null;

  @Input(BACKCHANNEL_LOGOUT_URL, { optional: true, nullable: true })
  backchannelLogoutUrl?: string | null;

  @Input(IDP_INITIATED, { optional: true })
  idpInitiated?: boolean;

  @Input(DEFAULT_RELAY_STATE, { optional: true, nullable: true })
  defaultRelayState?: string | null;
}

export class RegisterSamlClientDto extends UpdateSamlClientDto {
  @Input(SATELLITE_NAME)
  name: string;
}

/** Registration of an app of the platform. */
export class RegisterPlatformSamlClientDto extends RegisterSamlClientDto {
  @Input(CLIENT_ID)
  clientId: string;

  @Input(FIRST_PARTY, { optional: true })
  firstParty?: boolean;
}

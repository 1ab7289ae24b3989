import { SATELLITE_NAME, CLIENT_ID } from '../../client/index.js';
import {
  objectField,
  objectListField,
  Output,
  textField,
  timeField,
  ulidField,
} from '../../platform/api/index.js';
import type { ListedKey } from '../keys/provider-keys.js';
import type { ProviderAddresses } from './provider-addresses.js';
import type { SamlClient } from './saml-client.js';
import type { LogoutBinding, NameIdFormat } from './saml-values.js';
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
} from './saml-client.fields.js';

const BASE = 'https://login.example.com/api/iam/saml/org-01k3v9d7q8z4x5n6m7p8r9s0t1';
const address = (path: string, description: string) =>
  textField({ max: 600, format: 'uri', example: `${BASE}/${path}`, description });

class ProviderCertificateResponse {
  @Output(
    textField({
      max: 10_000,
      pattern: '^[^]*$',
      example: '-----BEGIN CERTIFICATE-----',
      description: 'In PEM.',
    }),
  )
  certificate: string;
  @Output(timeField({ description: 'Time from which it signs.' }))
  signsFrom: string;
}

/** This service, as the app is to know it. */
class SamlProviderResponse {
  @Output(address('metadata', 'Entity id, at which the metadata is.'))
  entityId: string;
  @Output(address('sso', 'Takes requests by HTTP-Redirect and HTTP-POST.'))
  signInUrl: string;
  @Output(address('slo', 'Takes requests for a logout by HTTP-Redirect and HTTP-POST.'))
  logoutUrl: string;
  @Output(objectListField(() => ProviderCertificateResponse, 10), {
    description: 'Certificates by which it signs: the current one, and the next one if there is one.',
  })
  certificates: ProviderCertificateResponse[];
}

export class SamlClientResponse {
  @Output(ulidField({ description: 'The client in the registry.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(CLIENT_ID)
  clientId: string;
  @Output(SATELLITE_NAME)
  name: string;
  @Output(ENTITY_ID)
  entityId: string;
  @Output(CONSUMERS)
  consumers: ConsumerDto[];
  @Output(CERTIFICATES)
  certificates: string[];
  @Output(REQUIRE_SIGNED)
  requireSignedRequests: boolean;
  @Output(NAME_ID_FORMAT)
  nameIdFormat: NameIdFormat;
  @Output(ATTRIBUTES)
  attributes: ReleasedAttributeDto[];
  @Output(LOGOUT_URL, { nullable: true })
  logoutUrl: string | null;
  @Output(LOGOUT_BINDING, { nullable: true })
  logoutBinding: LogoutBinding | null;
  @Output(BACKCHANNEL_LOGOUT_URL, { nullable: true })
  backchannelLogoutUrl: string | null;
  @Output(IDP_INITIATED)
  idpInitiated: boolean;
  @Output(DEFAULT_RELAY_STATE, { nullable: true })
  defaultRelayState: string | null;
  @Output(objectField(() => SamlProviderResponse))
  provider: SamlProviderResponse;

  static from(
    { client: { id, clientId, name, backchannelLogoutUri }, settings }: SamlClient,
    { entityId, signIn, logout }: ProviderAddresses,
    keys: readonly ListedKey[],
  ): SamlClientResponse {
    return {
      id,
      clientId,
      name,
      ...settings,
      backchannelLogoutUrl: backchannelLogoutUri,
      provider: {
        entityId,
        signInUrl: signIn,
        logoutUrl: logout,
        certificates: keys.map(({ certificate, signsFrom }) => ({
          certificate,
          signsFrom: signsFrom.toISOString(),
        })),
      },
    };
  }
}

import { EXAMPLE_PEM } from '../../connection/index.js';
import {
  blockField,
  booleanField,
  Input,
  integerField,
  listField,
  objectField,
  objectListField,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';
import {
  ATTRIBUTE_SOURCES,
  type AttributeSource,
  LOGOUT_BINDINGS,
  type LogoutBinding,
  NAME_FORMATS,
  NAME_ID_FORMATS,
  type NameIdFormat,
} from './saml-values.js';
import { CLIENT_ID, FIRST_PARTY, SATELLITE_NAME } from '../../client/index.js';
import type { ListedKey } from '../keys/provider-keys.js';
import type { ProviderAddresses } from './provider-addresses.js';
import type { SamlClient } from './saml-client.js';

const WEB_ADDRESS = { max: 500, pattern: /^https?:\/\/.{1,490}$/, shape: 'an https address' } as const;
export const MAX_CONSUMERS = 20;
export const MAX_CERTIFICATES = 10;
const MAX_ATTRIBUTES = 50;

/** Metadata of an app, as a text in JSON. */
export const MAX_METADATA_BODY_BYTES = 131_072;

const ENTITY_ID = textField({
  max: 500,
  example: 'https://erp.example.com/saml',
  description: 'Entity id of the app: Issuer of its requests, and audience of assertions.',
});

const CONSUMER_URL = textField({ ...WEB_ADDRESS, example: 'https://erp.example.com/saml/acs' });
const CONSUMER_INDEX = integerField({ min: 0, max: 65_535, example: 0, description: 'Its index.' });

/** Where responses are posted. */
export class ConsumerDto {
  @Input(CONSUMER_URL)
  @Output(CONSUMER_URL)
  url: string;
  @Input(CONSUMER_INDEX)
  @Output(CONSUMER_INDEX)
  index: number;
}
const CONSUMERS = objectListField(() => ConsumerDto, MAX_CONSUMERS);

const CERTIFICATES = listField({
  max: MAX_CERTIFICATES,
  itemMax: 10_000,
  pattern: /^-----BEGIN CERTIFICATE-----[\s\S]{1,9900}-----END CERTIFICATE-----\s*$/,
  message: 'must be a certificate in PEM',
  example: [EXAMPLE_PEM],
  description: 'Certificates by which the app signs, in PEM.',
});

const REQUIRE_SIGNED = booleanField({
  example: false,
  description: 'Whether its requests must be signed. A signature that is there is verified in any case.',
});

const NAME_ID_FORMAT = wordField(NAME_ID_FORMATS, {
  description:
    'How people are named if the request does not say: `persistent` by an identifier that only this app knows, `email` by their address, `transient` by one of the session. `email` can be asked for only if the app learns the address.',
});

const ATTRIBUTE_NAME = textField({ max: 200, example: 'email' });
const NAME_FORMAT = wordField(NAME_FORMATS);
const SOURCE = wordField(ATTRIBUTE_SOURCES);

/** An attribute of assertions. */
export class ReleasedAttributeDto {
  @Input(ATTRIBUTE_NAME)
  @Output(ATTRIBUTE_NAME)
  name: string;
  @Input(NAME_FORMAT)
  @Output(NAME_FORMAT)
  nameFormat: (typeof NAME_FORMATS)[number];
  @Input(SOURCE)
  @Output(SOURCE)
  source: AttributeSource;
}
const ATTRIBUTES = objectListField(() => ReleasedAttributeDto, MAX_ATTRIBUTES);

const LOGOUT_URL = textField({
  ...WEB_ADDRESS,
  example: 'https://erp.example.com/saml/logout',
  description: 'Where a browser brings the responses to its requests for a logout.',
});
const LOGOUT_BINDING = wordField(LOGOUT_BINDINGS, { description: 'How it brings them.' });
const BACKCHANNEL_LOGOUT_URL = textField({
  ...WEB_ADDRESS,
  example: 'https://erp.example.com/saml/soap',
  description: 'Where the server of the app takes requests for a logout, by SOAP.',
});

const IDP_INITIATED = booleanField({
  example: false,
  description:
    'Whether a sign-in may begin at this service, without a request. The app cannot tell then whether the person wanted it.',
});
const DEFAULT_RELAY_STATE = textField({
  max: 500,
  example: 'https://erp.example.com/start',
  description: 'RelayState of a sign-in that began at this service: where the app goes on.',
});

const SP_METADATA = blockField({
  max: 60_000,
  pattern: /^\s*<[\s\S]{1,59000}>\s*$/,
  message: 'must be XML',
  example:
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://erp.example.com/saml"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://erp.example.com/saml/acs" index="0"/></SPSSODescriptor></EntityDescriptor>',
  description:
    'Metadata of the app, as XML. In place of `entityId`, `consumers`, `certificates` and the addresses of the logout.',
});

const BASE = 'https://login.example.com/api/iam/saml/org-01k3v9d7q8z4x5n6m7p8r9s0t1';
const address = (path: string, description: string) =>
  textField({ max: 600, format: 'uri', example: `${BASE}/${path}`, description });

class ProviderCertificateResponse {
  @Output.text({
    max: 10_000,
    pattern: '^[^]*$',
    example: '-----BEGIN CERTIFICATE-----',
    description: 'In PEM.',
  })
  certificate: string;
  @Output.time({ description: 'Time from which it signs.' })
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
  @Output.ulid({ description: 'The client in the registry.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
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

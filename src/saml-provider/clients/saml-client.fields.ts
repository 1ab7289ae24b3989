import { EXAMPLE_PEM } from '../../connection/index.js';
import {
  blockField,
  booleanField,
  Input,
  integerField,
  listField,
  objectListField,
  Output,
  textField,
  wordField,
} from '../../platform/api/index.js';
import {
  ATTRIBUTE_SOURCES,
  type AttributeSource,
  LOGOUT_BINDINGS,
  NAME_FORMATS,
  NAME_ID_FORMATS,
} from './saml-values.js';

const WEB_ADDRESS = { max: 500, pattern: /^https?:\/\/.{1,490}$/, shape: 'an https address' } as const;
export const MAX_CONSUMERS = 20;
export const MAX_CERTIFICATES = 10;
const MAX_ATTRIBUTES = 50;

/** Metadata of an app, as a text in JSON. */
export const MAX_METADATA_BODY_BYTES = 131_072;

export const ENTITY_ID = textField({
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
export const CONSUMERS = objectListField(() => ConsumerDto, MAX_CONSUMERS);

export const CERTIFICATES = listField({
  max: MAX_CERTIFICATES,
  itemMax: 10_000,
  pattern: /^-----BEGIN CERTIFICATE-----[\s\S]{1,9900}-----END CERTIFICATE-----\s*$/,
  message: 'must be a certificate in PEM',
  example: [EXAMPLE_PEM],
  description: 'Certificates by which the app signs, in PEM.',
});

export const REQUIRE_SIGNED = booleanField({
  example: false,
  description: 'Whether its requests must be signed. A signature that is there is verified in any case.',
});

export const NAME_ID_FORMAT = wordField(NAME_ID_FORMATS, {
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
export const ATTRIBUTES = objectListField(() => ReleasedAttributeDto, MAX_ATTRIBUTES);

export const LOGOUT_URL = textField({
  ...WEB_ADDRESS,
  example: 'https://erp.example.com/saml/logout',
  description: 'Where a browser brings the responses to its requests for a logout.',
});
export const LOGOUT_BINDING = wordField(LOGOUT_BINDINGS, { description: 'How it brings them.' });
export const BACKCHANNEL_LOGOUT_URL = textField({
  ...WEB_ADDRESS,
  example: 'https://erp.example.com/saml/soap',
  description: 'Where the server of the app takes requests for a logout, by SOAP.',
});

export const IDP_INITIATED = booleanField({
  example: false,
  description:
    'Whether a sign-in may begin at this service, without a request. The app cannot tell then whether the person wanted it.',
});
export const DEFAULT_RELAY_STATE = textField({
  max: 500,
  example: 'https://erp.example.com/start',
  description: 'RelayState of a sign-in that began at this service: where the app goes on.',
});

export const SP_METADATA = blockField({
  max: 60_000,
  pattern: /^\s*<[\s\S]{1,59000}>\s*$/,
  message: 'must be XML',
  example:
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://erp.example.com/saml"><SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://erp.example.com/saml/acs" index="0"/></SPSSODescriptor></EntityDescriptor>',
  description:
    'Metadata of the app, as XML. In place of `entityId`, `consumers`, `certificates` and the addresses of the logout.',
});

import { Input, objectField } from '../../platform/api/index.js';
import {
  ACR_VALUES,
  ATTRIBUTES,
  AUTHN_INSTANT_MAX_AGE,
  CLIENT_AUTHENTICATION,
  CLIENT_ID,
  CLIENT_SECRET,
  CONNECTION_KIND,
  CONNECTION_NAME,
  DEFAULT_ROLES,
  DOMAIN_IDS,
  END_SESSIONS_FIELD,
  ENTITY_ID,
  IDENTITY_ASSERTIONS,
  IDP_INITIATED,
  ISSUER,
  JUST_IN_TIME,
  METADATA,
  METADATA_URL,
  NAME_ID_FORMAT,
  NO_MATCH,
  SCOPES,
  SIGN_REQUESTS,
  SLO_URL,
  SSO_BINDING,
  SSO_URL,
  SYNC,
  TRUSTED_AUDIENCES,
  TRUSTS_SECOND_FACTOR,
  WANT_ENCRYPTED,
} from './connection.fields.js';
import { CERTIFICATE, CERTIFICATES } from './certificate.fields.js';
import type { ClientAuthentication, ConnectionKind, SsoBinding } from './connection.js';

export class AttributeNamesDto {
  @Input(ATTRIBUTES.email, { optional: true })
  email?: string;
  @Input(ATTRIBUTES.groups, {
    optional: true,
    description: 'Name of the claim or attribute that rules find as `groups`.',
  })
  groups?: string;
  @Input(ATTRIBUTES.firstName, { optional: true })
  firstName?: string;
  @Input(ATTRIBUTES.lastName, { optional: true })
  lastName?: string;
  @Input(ATTRIBUTES.displayName, { optional: true })
  displayName?: string;
}

export class ProvisioningDto {
  @Input(JUST_IN_TIME, { optional: true })
  justInTime?: boolean;
  @Input(DEFAULT_ROLES, { optional: true })
  defaultRoles?: string[];
  @Input(NO_MATCH, { optional: true })
  onNoMatch?: 'default' | 'refuse';
  @Input(SYNC, { optional: true })
  syncRoles?: 'first-sign-in' | 'every-sign-in';
}

/** Settings of both kinds. The service requires those of the connection's kind. */
export class ConnectionSettingsDto {
  @Input(ISSUER, { optional: true })
  issuer?: string;
  @Input(CLIENT_ID, { optional: true })
  clientId?: string;
  @Input(CLIENT_SECRET, { optional: true })
  clientSecret?: string;
  @Input(CLIENT_AUTHENTICATION, { optional: true })
  clientAuthentication?: ClientAuthentication;
  @Input(SCOPES, { optional: true })
  scopes?: string[];
  @Input(objectField(() => AttributeNamesDto), { optional: true })
  claims?: AttributeNamesDto;
  @Input(ACR_VALUES, { optional: true })
  acrValues?: string[];
  @Input(TRUSTED_AUDIENCES, { optional: true })
  trustedAudiences?: string[];
  @Input(ENTITY_ID, { optional: true })
  entityId?: string;
  @Input(SSO_URL, { optional: true })
  ssoUrl?: string;
  @Input(SSO_BINDING, { optional: true })
  ssoBinding?: SsoBinding;
  @Input(SLO_URL, { optional: true, nullable: true })
  sloUrl?: string | null;
  @Input(CERTIFICATES, { optional: true })
  certificates?: string[];
  @Input(METADATA, { optional: true })
  metadata?: string;
  @Input(METADATA_URL, { optional: true, nullable: true })
  metadataUrl?: string | null;
  @Input(SIGN_REQUESTS, { optional: true })
  signRequests?: boolean;
  @Input(WANT_ENCRYPTED, { optional: true })
  wantEncryptedAssertions?: boolean;
  @Input(AUTHN_INSTANT_MAX_AGE, { optional: true, nullable: true })
  authnInstantMaxAge?: number | null;
  @Input(NAME_ID_FORMAT, { optional: true, nullable: true })
  nameIdFormat?: string | null;
  @Input(objectField(() => AttributeNamesDto), { optional: true })
  attributes?: AttributeNamesDto;
}

/** Settings of one kind: those of both are refused together. */
const EXAMPLE = {
  issuer: 'https://idp.example.com',
  clientId: 'gatehouse',
  clientSecret: 'Zx8cV2bN4mQ6wE1r',
};

export class CreateConnectionDto {
  @Input(CONNECTION_KIND)
  kind: ConnectionKind;
  @Input(CONNECTION_NAME)
  name: string;
  @Input(DOMAIN_IDS, { optional: true })
  domainIds?: string[];
  @Input(objectField(() => ConnectionSettingsDto, EXAMPLE))
  settings: ConnectionSettingsDto;
  @Input(objectField(() => ProvisioningDto), { optional: true })
  provisioning?: ProvisioningDto;
  @Input(IDP_INITIATED, { optional: true })
  idpInitiated?: boolean;
  @Input(TRUSTS_SECOND_FACTOR, { optional: true })
  trustsSecondFactor?: boolean;
  @Input(IDENTITY_ASSERTIONS, { optional: true })
  identityAssertions?: boolean;
}

export class UpdateConnectionDto {
  @Input(CONNECTION_NAME, { optional: true })
  name?: string;
  @Input(DOMAIN_IDS, { optional: true })
  domainIds?: string[];
  @Input(objectField(() => ConnectionSettingsDto, EXAMPLE), {
    optional: true,
    description: 'Fields that are left out do not change. A changed connection has to be tested again.',
  })
  settings?: ConnectionSettingsDto;
  @Input(objectField(() => ProvisioningDto), {
    optional: true,
    example: { justInTime: true },
    description: 'Fields that are left out do not change. Needs no new test.',
  })
  provisioning?: ProvisioningDto;
  @Input(IDP_INITIATED, { optional: true })
  idpInitiated?: boolean;
  @Input(TRUSTS_SECOND_FACTOR, { optional: true })
  trustsSecondFactor?: boolean;
  @Input(IDENTITY_ASSERTIONS, { optional: true })
  identityAssertions?: boolean;
}

export class DisableConnectionDto {
  @Input(END_SESSIONS_FIELD, { optional: true })
  endSessions?: boolean;
}

export class AddCertificateDto {
  @Input(CERTIFICATE)
  certificate: string;
}

import { Input, objectField, OmitType, PartialType } from '../../platform/api/index.js';
import * as fields from './connection.fields.js';
import { CERTIFICATE, CERTIFICATES } from './certificate.fields.js';
import type { ClientAuthentication, ConnectionKind, SsoBinding } from './connection.js';

export class AttributeNamesDto {
  @Input(fields.ATTRIBUTE_NAME, { optional: true })
  email?: string;
  @Input(fields.ATTRIBUTE_NAME, {
    optional: true,
    description: 'Name of the claim or attribute that rules find as `groups`.',
  })
  groups?: string;
  @Input(fields.ATTRIBUTE_NAME, { optional: true })
  firstName?: string;
  @Input(fields.ATTRIBUTE_NAME, { optional: true })
  lastName?: string;
  @Input(fields.ATTRIBUTE_NAME, { optional: true })
  displayName?: string;
}

export class ProvisioningDto {
  @Input(fields.JUST_IN_TIME, { optional: true })
  justInTime?: boolean;
  @Input(fields.DEFAULT_ROLES, { optional: true })
  defaultRoles?: string[];
  @Input(fields.NO_MATCH, { optional: true })
  onNoMatch?: 'default' | 'refuse';
  @Input(fields.SYNC, { optional: true })
  syncRoles?: 'first-sign-in' | 'every-sign-in';
}

/** Settings of both kinds. The service requires those of the connection's kind. */
export class ConnectionSettingsDto {
  @Input(fields.ISSUER, { optional: true })
  issuer?: string;
  @Input(fields.CLIENT_ID, { optional: true })
  clientId?: string;
  @Input.text({
    max: 500,
    example: 'Zx8cV2bN4mQ6wE1r',
    description: 'oidc: secret of the client. Cannot be read again.',
    optional: true,
  })
  clientSecret?: string;
  @Input(fields.CLIENT_AUTHENTICATION, { optional: true })
  clientAuthentication?: ClientAuthentication;
  @Input(fields.SCOPES, { optional: true })
  scopes?: string[];
  @Input(objectField(() => AttributeNamesDto), { optional: true })
  claims?: AttributeNamesDto;
  @Input(fields.ACR_VALUES, { optional: true })
  acrValues?: string[];
  @Input(fields.TRUSTED_AUDIENCES, { optional: true })
  trustedAudiences?: string[];
  @Input(fields.ENTITY_ID, { optional: true })
  entityId?: string;
  @Input(fields.SSO_URL, { optional: true })
  ssoUrl?: string;
  @Input(fields.SSO_BINDING, { optional: true })
  ssoBinding?: SsoBinding;
  @Input(fields.SLO_URL, { optional: true, nullable: true })
  sloUrl?: string | null;
  @Input(CERTIFICATES, { optional: true })
  certificates?: string[];
  @Input(fields.METADATA, { optional: true })
  metadata?: string;
  @Input(fields.METADATA_URL, { optional: true, nullable: true })
  metadataUrl?: string | null;
  @Input(fields.SIGN_REQUESTS, { optional: true })
  signRequests?: boolean;
  @Input(fields.WANT_ENCRYPTED, { optional: true })
  wantEncryptedAssertions?: boolean;
  @Input(fields.AUTHN_INSTANT_MAX_AGE, { optional: true, nullable: true })
  authnInstantMaxAge?: number | null;
  @Input(fields.NAME_ID_FORMAT, { optional: true, nullable: true })
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
  @Input(fields.CONNECTION_KIND)
  kind: ConnectionKind;
  @Input(fields.CONNECTION_NAME)
  name: string;
  @Input(fields.DOMAIN_IDS, { optional: true })
  domainIds?: string[];
  @Input(objectField(() => ConnectionSettingsDto, EXAMPLE))
  settings: ConnectionSettingsDto;
  @Input(objectField(() => ProvisioningDto), { optional: true })
  provisioning?: ProvisioningDto;
  @Input(fields.IDP_INITIATED, { optional: true })
  idpInitiated?: boolean;
  @Input(fields.TRUSTS_SECOND_FACTOR, { optional: true })
  trustsSecondFactor?: boolean;
  @Input(fields.IDENTITY_ASSERTIONS, { optional: true })
  identityAssertions?: boolean;
}

export class UpdateConnectionDto extends PartialType(OmitType(CreateConnectionDto, ['kind'] as const)) {
  @Input(objectField(() => ConnectionSettingsDto, EXAMPLE), {
    optional: true,
    description: 'Fields that are left out do not change. A changed connection has to be tested again.',
  })
  override settings?: ConnectionSettingsDto;
  @Input(objectField(() => ProvisioningDto), {
    optional: true,
    example: { justInTime: true },
    description: 'Fields that are left out do not change. Needs no new test.',
  })
  override provisioning?: ProvisioningDto;
}

export class DisableConnectionDto {
  @Input.boolean({
    description: 'Whether sessions that began by the connection end. Left out: they go on.',
    example: true,
    optional: true,
  })
  endSessions?: boolean;
}

export class AddCertificateDto {
  @Input(CERTIFICATE)
  certificate: string;
}

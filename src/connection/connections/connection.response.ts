import { objectField, objectListField, Output, toResponse } from '../../platform/api/index.js';
import { CHANGE_KINDS } from '../changes/change.entity.js';
import type { WaitingChange } from '../changes/change.repository.js';
import type { Settings } from '../../platform/config/index.js';
import { hasExpiredMetadata, METADATA_EXPIRED } from '../metadata/metadata-expiry.js';
import type { SsoBinding } from './connection.js';
import type { GivenSettings } from './connection-check.js';
import * as fields from './connection.fields.js';
import { CERTIFICATE_LIST, CertificateResponse } from './certificate.fields.js';
import { SERVICE_PROVIDER } from './service-provider.dto.js';
import type { ShownConnection } from './connection.service.js';

/** Names of the claims or attributes that hold an address and a name. */
class AttributeNamesResponse {
  @Output(fields.ATTRIBUTE_NAME, { required: false })
  email?: string;
  @Output(fields.ATTRIBUTE_NAME, { required: false })
  groups?: string;
  @Output(fields.ATTRIBUTE_NAME, { required: false })
  firstName?: string;
  @Output(fields.ATTRIBUTE_NAME, { required: false })
  lastName?: string;
  @Output(fields.ATTRIBUTE_NAME, { required: false })
  displayName?: string;
}

class ProvisioningResponse {
  @Output(fields.JUST_IN_TIME)
  justInTime: boolean;
  @Output(fields.DEFAULT_ROLES)
  defaultRoles: readonly string[];
  @Output(fields.NO_MATCH)
  onNoMatch: string;
  @Output(fields.SYNC)
  syncRoles: string;
}

/** Settings of the kind, without the secret. */
class ConnectionSettingsResponse {
  @Output(fields.ISSUER, { required: false })
  issuer?: string;
  @Output(fields.CLIENT_ID, { required: false })
  clientId?: string;
  @Output(fields.CLIENT_AUTHENTICATION, { required: false })
  clientAuthentication?: string;
  @Output(fields.SCOPES, { required: false })
  scopes?: readonly string[];
  @Output(objectField(() => AttributeNamesResponse), { required: false })
  claims?: AttributeNamesResponse;
  @Output(fields.ACR_VALUES, { required: false })
  acrValues?: readonly string[];
  @Output(fields.TRUSTED_AUDIENCES, { required: false })
  trustedAudiences?: readonly string[];
  @Output(fields.ENTITY_ID, { required: false })
  entityId?: string;
  @Output(fields.SSO_URL, { required: false })
  ssoUrl?: string;
  @Output(fields.SSO_BINDING, { required: false })
  ssoBinding?: SsoBinding;
  @Output(fields.SLO_URL, { required: false, nullable: true })
  sloUrl?: string | null;
  @Output(fields.METADATA_URL, { required: false, nullable: true })
  metadataUrl?: string | null;
  @Output(fields.SIGN_REQUESTS, { required: false })
  signRequests?: boolean;
  @Output(fields.WANT_ENCRYPTED, { required: false })
  wantEncryptedAssertions?: boolean;
  @Output(fields.AUTHN_INSTANT_MAX_AGE, { required: false, nullable: true })
  authnInstantMaxAge?: number | null | undefined;
  @Output(fields.NAME_ID_FORMAT, { required: false, nullable: true })
  nameIdFormat?: string | null;
  @Output(objectField(() => AttributeNamesResponse), { required: false })
  attributes?: AttributeNamesResponse;
}

/** A change that waits for an owner. */
export class ConnectionChangeResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T5', description: 'The change.' })
  id: string;
  @Output.word(CHANGE_KINDS, {
    description: '`certificate`: one more is accepted. `settings`: they are replaced, and have to be tested.',
  })
  kind: string;
  @Output.list({
    max: 10,
    itemMax: 64,
    pattern: /^[0-9a-f]{64}$/,
    message: 'must be a fingerprint',
    example: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    description: 'Fingerprints by SHA-256 of the certificates that would be accepted.',
  })
  sha256: readonly string[];
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2', description: 'Person or set-up link.' })
  requestedBy: string;
  @Output.boolean({ description: 'Whether `requestedBy` is a set-up link.', example: false })
  bySetupLink: boolean;
  @Output.time({ description: 'Time of the request.' })
  requestedAt: string;
  @Output.time({ description: 'Time from which it does not wait any more.' })
  expiresAt: string;
  /** As they would be, without the secret. */
  @Output(objectField(() => ConnectionSettingsResponse), { required: false })
  settings?: ConnectionSettingsResponse;

  static from(waiting: WaitingChange): ConnectionChangeResponse {
    const change = waiting.kind === 'settings' ? waiting.reveal() : null;
    return toResponse(ConnectionChangeResponse, {
      ...waiting,
      requestedAt: waiting.createdAt,
      ...(change?.kind === 'settings' && { settings: settingsOf(change.given.settings) }),
    });
  }
}

export class ConnectionResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(fields.CONNECTION_KIND)
  kind: string;
  @Output(fields.CONNECTION_NAME)
  name: string;
  @Output.word(['draft', 'active', 'disabled'] as const, {
    description:
      '`draft`: it was never activated, or its settings have changed since. Only an active one signs people in.',
  })
  status: string;
  @Output(fields.DOMAIN_IDS)
  domainIds: readonly string[];
  @Output(objectField(() => ConnectionSettingsResponse))
  settings: ConnectionSettingsResponse;
  @Output(objectField(() => ProvisioningResponse))
  provisioning: ProvisioningResponse;
  @Output(fields.IDP_INITIATED, { required: false })
  idpInitiated?: boolean | undefined;
  @Output(objectListField(() => ConnectionChangeResponse, 10), {
    description: 'Changes that an owner has to confirm or refuse.',
  })
  waiting: readonly ConnectionChangeResponse[];
  @Output(fields.TRUSTS_SECOND_FACTOR)
  trustsSecondFactor: boolean;
  @Output(fields.IDENTITY_ASSERTIONS, { required: false })
  identityAssertions?: boolean | undefined;
  @Output(SERVICE_PROVIDER)
  serviceProvider: object;
  @Output(CERTIFICATE_LIST, { required: false })
  certificates?: readonly object[] | undefined;
  @Output.time({ nullable: true, description: 'Time of the last sign-in; null before the first.' })
  lastSignInAt: string | null;
  @Output.text({
    nullable: true,
    max: 50,
    example: 'domain_not_verified',
    description: 'Why the last sign-in was refused; `metadata_expired` while every sign-in is.',
  })
  lastError: string | null;
  @Output.time({
    nullable: true,
    description:
      'Time of the last sign-in whose groups were not whole, so that it changed no roles; null if there was none.',
  })
  groupsIncompleteAt: string | null;

  /** @param settings addresses of this service and of the app */
  static from(
    connection: ShownConnection,
    { PUBLIC_URL, APP_URL }: Pick<Settings, 'PUBLIC_URL' | 'APP_URL'>,
  ): ConnectionResponse {
    const { id, kind, settings, certificates } = connection;
    const {
      justInTime = false,
      onNoMatch = 'default',
      syncRoles = 'first-sign-in',
    } = connection.provisioning;
    const base = `${PUBLIC_URL}/api/iam/auth/external/${kind}`;
    return toResponse(ConnectionResponse, {
      ...connection,
      settings: settingsOf(settings),
      provisioning: { justInTime, defaultRoles: connection.defaultRoles, onNoMatch, syncRoles },
      serviceProvider:
        kind === 'oidc'
          ? {
              redirectUri: `${base}/callback/${id}`,
              initiateLoginUri: `${base}/begin/${id}`,
              sloUrl: `${base}/backchannel-logout/${id}`,
              postLogoutRedirectUri: `${APP_URL}/sign-in`,
              ...(isByKey(settings) && { jwksUri: `${base}/jwks` }),
            }
          : {
              acsUrl: `${base}/callback/${id}`,
              entityId: `${base}/metadata/${id}`,
              metadataUrl: `${base}/metadata/${id}`,
              initiateLoginUri: `${base}/begin/${id}`,
              sloUrl: `${base}/logout/${id}`,
            },
      idpInitiated: kind === 'saml' ? connection.idpInitiated : undefined,
      certificates: kind === 'saml' ? certificates.map((one) => CertificateResponse.from(one)) : undefined,
      waiting: connection.waiting.map((change) => ConnectionChangeResponse.from(change)),
      identityAssertions: kind === 'oidc' ? connection.identityAssertions : undefined,
      lastError: currentError(settings, connection.lastError),
    });
  }
}

/** Metadata that has expired counts before a sign-in is refused, and no longer once it is valid. */
function currentError(settings: ShownConnection['settings'], lastError: string | null): string | null {
  if ('metadataValidUntil' in settings && hasExpiredMetadata(settings)) return METADATA_EXPIRED;
  return lastError === METADATA_EXPIRED ? null : lastError;
}

const isByKey = (settings: ShownConnection['settings']): boolean =>
  'issuer' in settings && settings.clientAuthentication === 'private_key_jwt';

const settingsOf = (settings: ShownConnection['settings'] | GivenSettings['settings']) =>
  toResponse(ConnectionSettingsResponse, settings);

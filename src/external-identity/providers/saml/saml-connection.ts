import type * as own from '../../../connection/index.js';
import type { Settings } from '../../../platform/config/index.js';

/** Settings of the connection to the identity provider. */
export interface SamlConnection {
  readonly entryPoint: string;
  /** Our page that posts requests to the entry point; null if they are sent by redirect. */
  readonly requestPage: string | null;
  /** The identity provider's entity ID. */
  readonly idpIssuer: string;
  /** The only certificates that its signatures are verified with (SAML-5). */
  readonly certificates: readonly string[];
  /** The service's own entity ID. */
  readonly entityId: string;
  /** Assertion consumer service: the address to which responses are posted. */
  readonly consumer: string;
  /** Maximum age of the person's authentication at the identity provider; Infinity for none. */
  readonly maxAuthAgeMs: number;
  /** Domains for whose addresses it is the authority. */
  readonly domains: readonly string[];
  /** Format of the NameID to ask for; left out for any. */
  readonly nameIdFormat?: string | null;
  /** Address of the provider for a logout; null if it offers none. */
  readonly sloUrl: string | null;
  /** The service's own address for a logout; null for the provider of the environment. */
  readonly logout: string | null;
  /** Whether assertions must be encrypted. */
  readonly wantsEncryption: boolean;
  /** Whether requests are signed. */
  readonly signsRequests: boolean;
  /** Names of the attributes to read, in place of the usual ones. */
  readonly attributes?: own.SamlConnection['settings']['attributes'];
}

/**
 * Returns a connection of an organization. Its entity ID and its consumer are its own, so that an
 * assertion for one connection is refused at each other one.
 */
export function connectionFor(connection: own.SamlConnection, settings: Settings): SamlConnection {
  const { id, domains } = connection;
  const {
    entityId: idpIssuer,
    ssoUrl,
    ssoBinding,
    certificates,
    nameIdFormat,
    attributes,
    signRequests: signsRequests,
    sloUrl,
    wantEncryptedAssertions: wantsEncryption,
    authnInstantMaxAge = settings.EXTERNAL_SAML_MAX_AUTH_AGE,
  } = connection.settings;
  const base = `${settings.PUBLIC_URL}/api/iam/auth/external/saml`;
  return {
    entryPoint: ssoUrl,
    requestPage: ssoBinding === 'post' ? `${base}/request/${id}` : null,
    idpIssuer,
    certificates: certificates.map(({ certificate }) => certificate),
    domains,
    nameIdFormat,
    attributes,
    signsRequests,
    sloUrl,
    wantsEncryption,
    logout: `${base}/logout/${id}`,
    maxAuthAgeMs: authnInstantMaxAge === null ? Infinity : authnInstantMaxAge * 1_000,
    entityId: `${base}/metadata/${id}`,
    consumer: `${base}/callback/${id}`,
  };
}

/** @returns null if the settings are incomplete */
export function connectionOf(settings: Settings): SamlConnection | null {
  const {
    EXTERNAL_SAML_ENTRY_POINT: entryPoint,
    EXTERNAL_SAML_IDP_ISSUER: idpIssuer,
    EXTERNAL_SAML_IDP_CERT: certificates,
    EXTERNAL_SAML_DOMAINS: domains,
  } = settings;
  if (entryPoint === undefined || idpIssuer === undefined || certificates === undefined) return null;
  const base = `${settings.PUBLIC_URL}/api/iam/auth/external/saml`;
  return {
    entryPoint,
    requestPage: null,
    idpIssuer,
    certificates,
    domains,
    signsRequests: true,
    sloUrl: null,
    wantsEncryption: false,
    logout: null,
    maxAuthAgeMs: settings.EXTERNAL_SAML_MAX_AUTH_AGE * 1_000,
    entityId: settings.EXTERNAL_SAML_SP_ENTITY_ID ?? `${base}/metadata`,
    consumer: `${base}/callback`,
  };
}

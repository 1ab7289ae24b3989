import type { Settings } from '../../../platform/config/index.js';

/** Both ends of the connection to the identity provider. */
export interface SamlConnection {
  readonly entryPoint: string;
  /** The identity provider's entity ID. */
  readonly idpIssuer: string;
  /** What its signatures are checked with, and nothing else ever (SAML-5). */
  readonly certificates: readonly string[];
  /** The service's own entity ID. */
  readonly entityId: string;
  /** Assertion consumer service: where its answers are to be posted. */
  readonly consumer: string;
  /** How long ago somebody may have proven to it who they are. */
  readonly maxAuthAgeMs: number;
  /** For whose addresses it is the authority. */
  readonly domains: readonly string[];
}

/** Null where the deployment has not configured one. */
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
    idpIssuer,
    certificates,
    domains,
    maxAuthAgeMs: settings.EXTERNAL_SAML_MAX_AUTH_AGE * 1_000,
    entityId: settings.EXTERNAL_SAML_SP_ENTITY_ID ?? `${base}/metadata`,
    consumer: `${base}/callback`,
  };
}

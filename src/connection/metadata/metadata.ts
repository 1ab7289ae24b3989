import type { Element } from '@xmldom/xmldom';
import { checkCertificate, type CheckedCertificate } from '../certificates/certificate-check.js';
import type { SsoBinding } from '../connections/connection.js';
import {
  certificatesOf,
  childrenOf,
  findEntities,
  locationOf,
  METADATA,
  parseMetadata,
} from './metadata-xml.js';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

const MAX_CERTIFICATES = 10;

/** What metadata says of an identity provider (SAML Metadata section 2.4). */
export interface Metadata {
  readonly entityId: string;
  /** Address for requests by redirect; by a form if the provider takes only these. */
  readonly ssoUrl: string;
  readonly ssoBinding: SsoBinding;
  /** Address for logout by redirect. */
  readonly sloUrl: string | null;
  /** Of its signing keys; those without a use count (section 2.4.1.1). */
  readonly certificates: readonly CheckedCertificate[];
  readonly validUntil: Date | null;
}

/** Metadata, or why it cannot be used. The text quotes nothing of it. */
export type ReadMetadata = Metadata | { readonly fault: string };

/**
 * Reads the metadata of one identity provider. Keys are taken from it as they are: the document is
 * trusted by where it comes from (SAML Metadata Interoperability), so a signature is not checked.
 * @param now in milliseconds
 */
export function readMetadata(text: string, now: number): ReadMetadata {
  const root = parseMetadata(text);
  if ('fault' in root) return root;
  const providers = findEntities(root).filter(
    (one) => childrenOf(one, METADATA, 'IDPSSODescriptor').length > 0,
  );
  const [entity] = providers;
  if (!entity || providers.length > 1) return { fault: 'must describe one identity provider' };
  const [role, ...others] = childrenOf(entity, METADATA, 'IDPSSODescriptor').filter((one) =>
    one.getAttribute('protocolSupportEnumeration').split(/\s+/).includes(PROTOCOL),
  );
  if (!role || others.length > 0) return { fault: 'must describe one identity provider by SAML 2.0' };
  return readProvider(root, entity, role, now);
}

function readProvider(root: Element, entity: Element, role: Element, now: number): ReadMetadata {
  const entityId = entity.getAttribute('entityID');
  const ends = [...new Set([root, entity, role])].flatMap((one) => one.getAttribute('validUntil') || []);
  const until = ends.map((end) => Date.parse(end));
  if (until.some((end) => !(end > now))) return { fault: 'has expired' };
  const byRedirect = locationOf(role, 'SingleSignOnService', REDIRECT);
  const ssoUrl = byRedirect ?? locationOf(role, 'SingleSignOnService', POST);
  if (entityId === '' || entityId.length > 500) return { fault: 'must have an entity id' };
  if (ssoUrl === null) return { fault: 'must have an address for sign-in by redirect or POST' };
  const certificates = certificatesOf(role).map(checkCertificate);
  const usable = certificates.filter((one) => 'sha256' in one);
  if (usable.length === 0 || usable.length > MAX_CERTIFICATES)
    return { fault: `must have 1 to ${MAX_CERTIFICATES} signing certificates of 2048 bits or more` };
  return {
    entityId,
    ssoUrl,
    ssoBinding: byRedirect === null ? 'post' : 'redirect',
    sloUrl: locationOf(role, 'SingleLogoutService', REDIRECT),
    certificates: usable,
    validUntil: until.length === 0 ? null : new Date(Math.min(...until)),
  };
}

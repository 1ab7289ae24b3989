import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { checkCertificate, type CheckedCertificate } from '../certificates/certificate-check.js';
import type { SsoBinding } from '../connections/connection.js';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

/** Of one provider: those with many claims have 80 KiB. */
const MAX_CHARACTERS = 262_144;
/** Start tags and attributes. */
const MAX_NODES = 6_000;
const MAX_CERTIFICATES = 10;
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const NODE = /<[^/]|=\s*["']/g;
/** Anything that a parser expands or reads differently; comments are allowed. */
const DECLARATIONS = /<!(?!--)/;

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
  if (text.length > MAX_CHARACTERS || (text.match(NODE)?.length ?? 0) > MAX_NODES)
    return { fault: 'must be the metadata of one provider, of 256 KiB at most' };
  if (DECLARATIONS.test(text)) return { fault: 'must have no DOCTYPE, entity or CDATA' };
  const root = parse(text);
  if (!root) return { fault: 'must be well-formed XML' };
  const entities = [root, ...descendants(root, METADATA, 'EntityDescriptor')].filter((one) =>
    isElement(one, METADATA, 'EntityDescriptor'),
  );
  const providers = entities.filter((one) => childrenOf(one, METADATA, 'IDPSSODescriptor').length > 0);
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
  const certificates = descriptorsOf(role).map(checkCertificate);
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

/** Returns the certificates of signing keys, in PEM. */
function descriptorsOf(role: Element): string[] {
  return childrenOf(role, METADATA, 'KeyDescriptor')
    .filter((one) => ['', 'signing'].includes(one.getAttribute('use')))
    .flatMap((one) => descendants(one, SIGNATURE, 'X509Certificate'))
    .map((one) => {
      const lines = base64Of(textOf(one)).match(/.{1,64}/g) ?? [];
      return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
    });
}

/**
 * Returns the base64 of the first certificate in a text. Providers leave the lines of PEM around
 * it, or put those that issued it behind it (authentik). DER of more than 255 bytes says its length
 * in the bytes 3 and 4.
 */
function base64Of(text: string): string {
  const [, inner = text] = /-----BEGIN[^-]*-----([^-]*)/.exec(text) ?? [];
  const der = Buffer.from(inner.replace(/\s+/g, ''), 'base64');
  const length = der.length > 4 && der[1] === 0x82 ? der.readUInt16BE(2) + 4 : der.length;
  return der.subarray(0, length).toString('base64');
}

function locationOf(role: Element, name: string, binding: string): string | null {
  const service = childrenOf(role, METADATA, name).find((one) => one.getAttribute('Binding') === binding);
  const location = service?.getAttribute('Location') ?? '';
  return location === '' || location.length > 500 ? null : location;
}

function parse(text: string): Element | null {
  try {
    const complain = (): never => {
      throw new Error('not well-formed');
    };
    return new DOMParser({ errorHandler: complain }).parseFromString(text.trim(), 'text/xml').documentElement;
  } catch {
    return null; // the parser's error would quote the document
  }
}

const isElement = (node: Element, namespace: string, name: string): boolean =>
  node.namespaceURI === namespace && node.localName === name;

function elementsOf(parent: Node): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === ELEMENT_NODE);
}

function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return elementsOf(parent).filter((child) => isElement(child, namespace, name));
}

/** Not recursive, because the sender chooses the depth. */
function descendants(root: Element, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  const waiting = elementsOf(root);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (isElement(next, namespace, name)) found.push(next);
    waiting.push(...elementsOf(next));
  }
  return found.toReversed();
}

function textOf(element: Element): string {
  return Array.from(element.childNodes)
    .filter(({ nodeType }) => nodeType === TEXT_NODE)
    .map(({ nodeValue }) => nodeValue ?? '')
    .join('');
}

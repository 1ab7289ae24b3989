import { DOMParser, type Element, type Node } from '@xmldom/xmldom';

export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

/** Of one entity: providers with many claims have 80 KiB. */
const MAX_CHARACTERS = 262_144;
/** Start tags and attributes. */
const MAX_NODES = 6_000;
const ELEMENT_NODE = 1;
const TEXT_NODE = 3;
const NODE = /<[^/]|=\s*["']/g;
/** Anything that a parser expands or reads differently; comments are allowed. */
const DECLARATIONS = /<!(?!--)/;

/** Parses metadata. @returns the fault of one that cannot be used, which quotes nothing of it */
export function parseMetadata(text: string): Element | { readonly fault: string } {
  if (text.length > MAX_CHARACTERS || (text.match(NODE)?.length ?? 0) > MAX_NODES)
    return { fault: 'must be the metadata of one provider, of 256 KiB at most' };
  if (DECLARATIONS.test(text)) return { fault: 'must have no DOCTYPE, entity or CDATA' };
  return parse(text) ?? { fault: 'must be well-formed XML' };
}

/** Returns the entities of a document: its root, or those in a list. */
export const findEntities = (root: Element): Element[] =>
  [root, ...descendants(root, METADATA, 'EntityDescriptor')].filter((one) =>
    isElement(one, METADATA, 'EntityDescriptor'),
  );

/** Returns the certificates of signing keys, in PEM. */
export function certificatesOf(role: Element): string[] {
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

export function locationOf(role: Element, name: string, binding: string): string | null {
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

export function childrenOf(parent: Element, namespace: string, name: string): Element[] {
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

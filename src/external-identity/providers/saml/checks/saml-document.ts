import { DOMParser, type Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';

const MAX_DOCUMENT_BYTES = 256 * 1024;
/** Each node costs the library 0.1 ms. The memberships of a person in 600 groups fit in. */
const MAX_NODES = 2_000;
/** For each name the parser searches the whole text for its end tag. Responses have about 30. */
const MAX_NAMES = 64;
/**
 * Characters that a parser stops at, or a canonicalizer escapes. Two thousand elements contain
 * eight thousand.
 */
const MAX_MARKS = 10_000;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DECLARATION =
  /^<\?xml\s+version=(["'])1\.0\1(?:\s+encoding=(["'])utf-8\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i;
/** References other than the five predefined entities and numeric characters. */
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)/;
// eslint-disable-next-line no-control-regex -- characters that XML 1.0 section 2.2 does not allow
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;
/** Start tags and attributes. */
const NODE = /<[^/]|=\s*["']/g;
const MARK = /[<>&]/g;
/** Names of elements, up to the character at which the parser ends them. */
const NAME = /<[^/][^ \t\r\n/>]*/g;

/** Text that has passed {@link readDocument}, and its only parse. */
export interface SamlDocument {
  readonly text: string;
  readonly root: Element;
}

/**
 * Decodes and parses a response (SAML-3). Refuses before parsing what parsers and canonicalizers
 * treat differently or expand: DOCTYPE, entities, processing instructions, comments, CDATA.
 * @throws {SamlRefusal}
 */
export function readDocument(encoded: string): SamlDocument {
  const base64 = encoded.replace(/[ \t\r\n]/g, '');
  demand(base64.length % 4 === 0 && BASE64.test(base64), 'SAML-3', 'it must be base64');
  const bytes = Buffer.from(base64, 'base64');
  demand(bytes.length <= MAX_DOCUMENT_BYTES, 'SAML-3', 'it is too large');
  const text = decode(bytes);
  demand(text !== null, 'SAML-3', 'it must be UTF-8');
  return parseStrictly(text);
}

/**
 * Line ends of XML 1.1. xmldom 0.8.15 turns them into line feeds in documents of XML 1.0 as well,
 * so that the digest of a text with one would be another; it keeps character references.
 */
const LINE_END_OF_XML_1_1 = /[\u0085\u2028]/g;

/**
 * Parses XML without ambiguous constructs.
 * @throws {SamlRefusal}
 */
export function parseStrictly(received: string): SamlDocument {
  const text = received.replace(LINE_END_OF_XML_1_1, (end) => `&#${end.codePointAt(0)};`);
  const body = text.replace(DECLARATION, '').trim();
  demand(!body.includes('<!'), 'SAML-3', 'it has a DOCTYPE, an entity, a comment or CDATA');
  demand(!body.includes('<?'), 'SAML-3', 'it has a processing instruction');
  demand(!ENTITY.test(body), 'SAML-3', 'it has a reference to an entity');
  demand(!FORBIDDEN_CHARACTER.test(body), 'SAML-3', 'it has a control character');
  demand(body.startsWith('<') && body.endsWith('>'), 'SAML-3', 'there is text around it');
  demand((body.match(NODE)?.length ?? 0) <= MAX_NODES, 'SAML-3', 'it has too many nodes');
  demand((body.match(MARK)?.length ?? 0) <= MAX_MARKS, 'SAML-3', 'it has too much markup');
  demand(new Set(body.match(NAME)).size <= MAX_NAMES, 'SAML-3', 'it has too many names');
  return { text, root: parse(body) };
}

function parse(body: string): Element {
  let sound = true;
  let parsed: ReturnType<DOMParser['parseFromString']> | undefined;
  try {
    const complain = (): never => {
      sound = false;
      throw new Error('not well-formed');
    };
    parsed = new DOMParser({ errorHandler: complain }).parseFromString(body, 'text/xml');
  } catch {
    sound = false; // the parser's error would quote the document
  }
  const nodes = Array.from(parsed?.childNodes ?? []);
  const root = parsed?.documentElement;
  demand(sound && root !== null && root !== undefined, 'SAML-3', 'it must be well-formed');
  demand(nodes.length === 1, 'SAML-3', 'it must be one element');
  return root;
}

/** Decodes UTF-8, without a byte order mark: it is no part of the document (XML 1.0, 4.3.3). */
function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

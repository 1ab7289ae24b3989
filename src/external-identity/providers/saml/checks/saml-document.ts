import { DOMParser, type Element } from '@xmldom/xmldom';
import { demand } from './saml-refusal.js';

const LARGEST_BYTES = 256 * 1024;
/**
 * Each costs the library a tenth of a millisecond. The memberships of a person in 600 groups fit
 * in.
 */
const MOST_NODES = 2_000;
/**
 * For each the parser looks through all of the text, from the end, for where it is closed. Answers
 * have some thirty.
 */
const MOST_NAMES = 64;
/**
 * Characters that a parser stops at, or a canonicaliser writes anew. Two thousand elements have
 * eight thousand of their own.
 */
const MOST_MARKS = 10_000;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const DECLARATION =
  /^<\?xml\s+version=(["'])1\.0\1(?:\s+encoding=(["'])utf-8\2)?(?:\s+standalone=(["'])(?:yes|no)\3)?\s*\?>/i;
/** Anything but the five that XML has by itself, and characters by number. */
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)/;
// eslint-disable-next-line no-control-regex -- what XML 1.0 section 2.2 has no place for
const FORBIDDEN_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;
/** Start tags and attributes: what costs a parser. */
const NODE = /<[^/]|=\s*["']/g;
const MARK = /[<>&]/g;
/** Of an element, where the parser takes it to end. */
const NAME = /<[^/][^ \t\r\n/>]*/g;

/** What may be looked at: text that has passed {@link readDocument}, and the one parse of it. */
export interface SamlDocument {
  readonly text: string;
  readonly root: Element;
}

/**
 * SAML-3, as far as it can be told from the text. Whatever parsers and canonicalisers disagree
 * about, or expand, is refused before any of them sees it: a DOCTYPE, an entity, a processing
 * instruction, a comment, CDATA.
 * @throws {SamlRefusal}
 */
export function readDocument(encoded: string): SamlDocument {
  const base64 = encoded.replace(/[ \t\r\n]/g, '');
  demand(base64.length % 4 === 0 && BASE64.test(base64), 'SAML-3', 'it must be base64');
  const bytes = Buffer.from(base64, 'base64');
  demand(bytes.length <= LARGEST_BYTES, 'SAML-3', 'it is too large');
  const text = decode(bytes);
  demand(text !== null, 'SAML-3', 'it must be UTF-8');
  return parseStrictly(text);
}

/**
 * Parses XML with nothing in it that has two readings.
 * @throws {SamlRefusal}
 */
export function parseStrictly(text: string): SamlDocument {
  const body = text.replace(DECLARATION, '').trim();
  demand(!body.includes('<!'), 'SAML-3', 'it has a DOCTYPE, an entity, a comment or CDATA');
  demand(!body.includes('<?'), 'SAML-3', 'it has a processing instruction');
  demand(!ENTITY.test(body), 'SAML-3', 'it has a reference to an entity');
  demand(!FORBIDDEN_CHARACTER.test(body), 'SAML-3', 'it has a control character');
  demand(body.startsWith('<') && body.endsWith('>'), 'SAML-3', 'there is text around it');
  demand((body.match(NODE)?.length ?? 0) <= MOST_NODES, 'SAML-3', 'it has too many nodes');
  demand((body.match(MARK)?.length ?? 0) <= MOST_MARKS, 'SAML-3', 'it has too much markup');
  demand(new Set(body.match(NAME)).size <= MOST_NAMES, 'SAML-3', 'it has too many names');
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
    sound = false; // what the parser says would quote the document
  }
  const nodes = Array.from(parsed?.childNodes ?? []);
  const root = parsed?.documentElement;
  demand(sound && root !== null && root !== undefined, 'SAML-3', 'it must be well-formed');
  demand(nodes.length === 1, 'SAML-3', 'it must be one element');
  return root;
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

import { AppError } from '../../errors/index.js';

/**
 * Maximum depth of nesting; the validator and the serializer recurse. RFC 8259 section 9 allows a
 * limit.
 */
const MAX_DEPTH = 32;
const POLLUTING = new Set(['__proto__', 'constructor', 'prototype']);
/** Colon after a string, which makes the string a key. */
const COLON = /[ \t\r\n]*:/y;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a body. Refuses JSON that parsers interpret differently or that harms later stages.
 * @returns an object or an array
 * @throws {AppError} validation-error for invalid UTF-8, invalid JSON, a value that is neither
 *   object nor array, and for what {@link requireUnambiguousJson} refuses
 */
export function parseJson(body: Buffer): object {
  const text = decoded(body);
  requireUnambiguousJson(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw AppError.violation('', 'The body is not valid JSON.');
  }
  if (typeof value === 'object' && value !== null) return value;
  throw AppError.violation('', 'The body must be a JSON object.');
}

function decoded(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw AppError.violation('', 'The body is not valid UTF-8.');
  }
}

/**
 * Refuses nesting over 32 levels, duplicate keys in one object, and keys that reach a prototype.
 * Scans the text, because `JSON.parse` drops duplicates.
 * @throws {AppError} validation-error
 */
export function requireUnambiguousJson(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH)
        throw AppError.violation('', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (char === '}' || char === ']') {
      open.pop();
    } else if (char === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      COLON.lastIndex = end + 1;
      if (keys && COLON.test(text)) checkKey(text.slice(at, end + 1), keys);
      at = end;
    }
  }
}

/** Returns the place of the quote that ends a string, by the search of the engine. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Returns whether an odd number of backslashes is before a place. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

function checkKey(literal: string, keys: Set<string>): void {
  let key = literal.slice(1, -1);
  try {
    if (key.includes('\\')) key = JSON.parse(literal) as string;
  } catch {
    return; // invalid JSON: the parser that follows refuses it
  }
  if (POLLUTING.has(key)) throw AppError.violation(key, 'This key is not allowed.');
  if (keys.has(key)) throw AppError.violation(key, 'This key is given twice.');
  keys.add(key);
}

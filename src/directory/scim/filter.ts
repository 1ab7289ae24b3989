import {
  booleanOf,
  canonicalName,
  foldName,
  isBoolean,
  isCaseExact,
  isComplex,
  isText,
  splitUrn,
} from './attributes.js';
import { sizeOf } from './elements.js';
import { ScimError } from './scim-error.js';

const MAX_DEPTH = 8;
const MAX_COMPARISONS = 20;
const MAX_LENGTH = 4_096;

const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];
type Literal = string | number | boolean | null;

/** An attribute, or a sub-attribute of it. */
export interface AttributePath {
  /** Schema of an extension; null for the schema of the resource. */
  readonly schema: string | null;
  readonly name: string;
  readonly sub: string | null;
}

/** Filter of RFC 7644 section 3.4.2.2. `values` is one over the elements of an attribute. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly filter: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly op: Operator; readonly value: Literal }
  | { readonly kind: 'values'; readonly path: AttributePath; readonly filter: Filter };

/**
 * Target of an operation of PATCH: an attribute, elements of it, or a sub-attribute of these. The
 * name '' is for all attributes of the schema.
 */
export interface PatchPath extends AttributePath {
  readonly filter: Filter | null;
}

const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const NAME = /^[A-Za-z$][\w$-]*$/;

/**
 * Parses a filter.
 * @throws {ScimError} invalidFilter, also beyond 8 levels or 20 comparisons
 */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text);
  const filter = parser.or(0);
  parser.requireEnd();
  return filter;
}

/**
 * Parses the path of an operation of PATCH (RFC 7644 section 3.5.2), such as
 * `emails[type eq "work"].value`.
 * @throws {ScimError} invalidPath
 */
export function parsePath(text: string): PatchPath {
  const urn = /^urn:/i.test(text) ? (splitUrn(text) ?? throwInvalidPath()) : null;
  if (urn?.rest === '') return { schema: urn.schema, name: '', sub: null, filter: null };
  const { schema, rest } = urn ?? { schema: null, rest: text };
  const open = rest.indexOf('[');
  if (open < 0) return { ...attributeOf(schema, rest, 'invalidPath'), filter: null };
  const close = rest.lastIndexOf(']');
  const after = rest.slice(close + 1).trim();
  const path = attributeOf(schema, rest.slice(0, open).trim(), 'invalidPath');
  if (close < open || path.sub !== null || !/^(?:\.[A-Za-z$][\w$-]*)?$/.test(after)) throwInvalidPath();
  const filter = parseFilter(rest.slice(open + 1, close));
  return { ...path, filter, sub: after === '' ? null : canonicalName(after.slice(1)) };
}

/**
 * Returns a function that tells whether an element of a multi-valued attribute matches a filter.
 * @param spend counts comparisons: each costs one, and more with a long text
 */
export function matcherOf(
  filter: Filter,
  parent: string,
  spend: (comparisons: number) => void,
): (element: unknown) => boolean {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const left = matcherOf(filter.left, parent, spend);
      const right = matcherOf(filter.right, parent, spend);
      return filter.kind === 'and'
        ? (element) => left(element) && right(element)
        : (element) => left(element) || right(element);
    }
    case 'not': {
      const isMatch = matcherOf(filter.filter, parent, spend);
      return (element) => !isMatch(element);
    }
    case 'present':
      return (element) => {
        spend(1);
        return isPresent(valueAt(element, filter.path));
      };
    case 'values': {
      const isMatch = matcherOf(filter.filter, '', spend);
      return (element) => listOf(valueAt(element, filter.path)).some((item) => isMatch(item));
    }
    case 'compare': {
      const { path, op, value } = filter;
      const isExact = isCaseExact(path.sub ?? path.name) || isCaseExact(parent);
      const wanted = isExact ? value : folded(value);
      const isRead = !isExact || (op !== 'eq' && op !== 'ne');
      return (element) => {
        const actual = valueAt(element, path);
        spend(isRead && typeof actual === 'string' ? sizeOf(actual) : 1);
        return compare(isExact ? actual : folded(actual), op, wanted);
      };
    }
  }
}

function valueAt(element: unknown, { name, sub }: AttributePath): unknown {
  if (!isComplex(element)) return name === 'value' ? element : undefined;
  const value = Object.hasOwn(element, name) ? element[name] : undefined;
  return sub === null ? value : valueAt(value, { schema: null, name: sub, sub: null });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

const folded = <T>(value: T): T | string => (typeof value === 'string' ? foldName(value) : value);

function compare(actual: unknown, op: Operator, wanted: Literal): boolean {
  if (op === 'eq') return wanted === null ? !isPresent(actual) : actual === wanted;
  if (op === 'ne') return !compare(actual, 'eq', wanted);
  if (typeof actual === 'number' && typeof wanted === 'number') return isOrdered(actual, op, wanted);
  if (typeof actual !== 'string' || typeof wanted !== 'string') return false;
  if (op === 'co') return actual.includes(wanted);
  if (op === 'sw') return actual.startsWith(wanted);
  if (op === 'ew') return actual.endsWith(wanted);
  return isOrdered(actual, op, wanted);
}

function isOrdered<T extends string | number>(a: T, op: Operator, b: T): boolean {
  if (op === 'gt') return a > b;
  if (op === 'ge') return a >= b;
  if (op === 'lt') return a < b;
  return op === 'le' && a <= b;
}

/** Reads the path of an attribute in a filter, which may begin with a schema. */
function filterPath(text: string): AttributePath {
  if (!/^urn:/i.test(text)) return attributeOf(null, text, 'invalidFilter');
  const urn = splitUrn(text);
  return attributeOf(urn?.schema ?? null, urn?.rest ?? '', 'invalidFilter');
}

function attributeOf(
  schema: string | null,
  text: string,
  scimType: 'invalidFilter' | 'invalidPath',
): AttributePath {
  const [name = '', sub, ...more] = text.split('.');
  if (!NAME.test(name) || (sub !== undefined && !NAME.test(sub)) || more.length > 0)
    throw new ScimError(400, scimType, 'There is no such attribute.');
  return { schema, name: canonicalName(name), sub: sub === undefined ? null : canonicalName(sub) };
}

/** Recursive descent over the grammar; "and" binds more than "or". */
class Parser {
  private readonly tokens: string[] = [];
  private at = 0;
  private comparisons = 0;

  constructor(text: string) {
    if (text.length > MAX_LENGTH) throw invalidFilter('The filter is too long.');
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const found = TOKEN.exec(text);
      if (!found) throw invalidFilter();
      this.tokens.push(found[1] ?? found[2] ?? found[3] ?? '');
    }
  }

  or(depth: number): Filter {
    let left = this.and(depth);
    while (this.takeWord('or')) left = { kind: 'or', left, right: this.and(depth) };
    return left;
  }

  requireEnd(): void {
    if (this.at < this.tokens.length) throw invalidFilter();
  }

  private and(depth: number): Filter {
    let left = this.term(depth);
    while (this.takeWord('and')) left = { kind: 'and', left, right: this.term(depth) };
    return left;
  }

  private term(depth: number): Filter {
    if (depth > MAX_DEPTH) throw invalidFilter(`The filter is nested deeper than ${MAX_DEPTH} levels.`);
    if (this.peek() === '(') return this.group('(', ')', depth);
    if (this.peek()?.toLowerCase() === 'not' && this.tokens[this.at + 1] === '(') {
      this.at += 1;
      return { kind: 'not', filter: this.group('(', ')', depth) };
    }
    const path = filterPath(this.next());
    return this.peek() === '[' ? this.values(path, depth) : this.comparison(path);
  }

  /**
   * Parses a filter over the elements of an attribute. Entra ID continues it with a comparison of
   * the elements: `emails[type eq "work"].value eq "ada@example.com"`.
   */
  private values(path: AttributePath, depth: number): Filter {
    const filter = this.group('[', ']', depth);
    if (this.peek()?.startsWith('.') !== true) return { kind: 'values', path, filter };
    const right = this.comparison(attributeOf(null, this.next().slice(1), 'invalidFilter'));
    return { kind: 'values', path, filter: { kind: 'and', left: filter, right } };
  }

  private group(open: string, close: string, depth: number): Filter {
    if (this.next() !== open) throw invalidFilter();
    const filter = this.or(depth + 1);
    if (this.next() !== close) throw invalidFilter();
    return filter;
  }

  private comparison(path: AttributePath): Filter {
    this.comparisons += 1;
    if (this.comparisons > MAX_COMPARISONS)
      throw invalidFilter(`The filter has more than ${MAX_COMPARISONS} comparisons.`);
    const word = this.next().toLowerCase();
    if (word === 'pr') return { kind: 'present', path };
    const op = OPERATORS.find((one) => one === word);
    if (op === undefined) throw invalidFilter();
    return { kind: 'compare', path, op, value: valueFor(path, this.next()) };
  }

  private takeWord(word: string): boolean {
    if (this.peek()?.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  private peek(): string | undefined {
    return this.tokens[this.at];
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw invalidFilter();
    this.at += 1;
    return token;
  }
}

/** Reads a value. A word is a text: authentik sends `userName eq ada`. */
function literalOf(token: string): Literal {
  let value: unknown;
  try {
    value = JSON.parse(/^(?:true|false|null)$/i.test(token) ? token.toLowerCase() : token);
  } catch {
    if (/^["']/.test(token)) throw invalidFilter();
    value = token;
  }
  if (typeof value === 'object' && value !== null) throw invalidFilter();
  if (typeof value === 'string' && value.includes('\u0000')) throw invalidFilter(); // no text of SQL
  return value as Literal;
}

/** Brings a value into the form in which values of the attribute are stored. */
function valueFor({ name, sub }: AttributePath, token: string): Literal {
  const attribute = sub ?? name;
  const value = literalOf(token);
  if (typeof value === 'number' && isText(attribute)) return token;
  if (!isBoolean(attribute) || typeof value !== 'string') return value;
  try {
    return booleanOf(attribute, value);
  } catch {
    throw invalidFilter(`${attribute} is compared with true or false.`);
  }
}

const invalidFilter = (detail = 'The filter is not valid (RFC 7644, section 3.4.2.2).') =>
  new ScimError(400, 'invalidFilter', detail);
function throwInvalidPath(): never {
  throw new ScimError(400, 'invalidPath', 'The path is not valid (RFC 7644, section 3.5.2).');
}

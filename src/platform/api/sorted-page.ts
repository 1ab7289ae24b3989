import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { AppError, type Violation } from '../errors/index.js';
import { isUlid, ULID_PATTERN } from '../../kernel/index.js';
import { documentPages, type ItemPage, limitOf, MAX_COUNTED, type Page } from './page.js';
import type { AnswerDecorator } from './documentation.decorator.js';
import { acceptQuery } from './query.js';
import { ApiQuery } from './swagger/described.js';

/** Maximum length of a cursor: an address of 254 characters of four bytes in base64url. */
const MAX_CURSOR = 2_048;

/** A time as a cursor keeps it, in microseconds: PostgreSQL's precision, which a Date cuts off. */
export const TIME_KEY = /^\d{1,17}$/;
/** A text as a cursor keeps it. A cursor is input: PostgreSQL refuses NUL and lone surrogates. */
export const TEXT_KEY = /^[^\p{Cc}\p{Cs}]{0,254}$/u;

/** An id as a cursor keeps it, for a list in the order of creation. */
export const ULID_KEY = new RegExp(ULID_PATTERN);

/** Orders of a list: the fields by which it is sorted, and the shape of each in a cursor. */
export interface Orders<S extends string = string> {
  readonly keys: Readonly<Record<S, RegExp>>;
  readonly byDefault: S | `-${S}`;
}

/** Position in a list: the value by which it is sorted, and the id, which orders equal values. */
interface Position {
  readonly key: string;
  readonly id: string;
}

/** Requested page of a list in one of its orders. */
export interface SortedPage<S extends string = string> {
  readonly limit: number;
  readonly sort: S;
  readonly descending: boolean;
  readonly after: Position | null;
}

/** Returns a page of a list with orders, in the order of creation. */
export const inOrderOfCreation = ({ limit, after }: Page): SortedPage<'createdAt'> => ({
  limit,
  sort: 'createdAt',
  descending: false,
  after: after === null ? null : { key: after, id: after },
});

const decorate = createParamDecorator(
  (orders: Orders, context: ExecutionContext): SortedPage => {
    const { cursor, limit, sort } = context.switchToHttp().getRequest<Request>().query;
    const violations: Violation[] = [];
    const order = sort === undefined ? orders.byDefault : sort;
    if (!wordsOf(orders).some((word) => word === order))
      violations.push({ propertyPath: 'sort', message: `must be one of: ${wordsOf(orders).join(', ')}` });
    const word = String(order);
    const after =
      cursor === undefined || cursor === '' || violations.length > 0
        ? null
        : decodePosition(cursor, word, orders);
    if (after === undefined)
      violations.push({
        propertyPath: 'cursor',
        message: 'must be a nextCursor of this list, in this order',
      });
    const size = limitOf(limit, violations);
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return { limit: size, sort: fieldOf(word), descending: word.startsWith('-'), after: after ?? null };
  },
  [acceptQuery('cursor', 'limit', 'sort')],
);

/**
 * Handler parameter: the page requested by `?cursor=&limit=&sort=`. A cursor belongs to the order
 * in which it was returned.
 * @throws {AppError} validation-error
 */
export const SortedPageOf = (orders: Orders): ParameterDecorator => decorate(orders);

/** Documents a list with orders, as {@link Paged} does. Its first page counts the items. */
export function SortedList<Item>(item: Type<Item>, orders: Orders): AnswerDecorator<ItemPage<Item>> {
  return applyDecorators(
    documentPages(item, { counted: true, maxCursor: MAX_CURSOR }),
    ApiQuery({
      name: 'sort',
      required: false,
      description: 'Order of the list; descending with a hyphen.',
      schema: { type: 'string', enum: wordsOf(orders), default: orders.byDefault },
    }),
  );
}

/**
 * Builds a page from rows.
 * @param rows at most one more than the limit; that one shows that there is a next page
 * @param positionOf returns the value by which the list is sorted, and the id
 * @param present maps a row to an item
 * @param total number of items that match; null for a further page
 */
export function toSortedPage<R, T>(
  rows: readonly R[],
  { limit, sort, descending }: SortedPage,
  positionOf: (row: R) => Position,
  present: (row: R) => T,
  total: number | null,
): ItemPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  const word = descending ? `-${sort}` : sort;
  return {
    items: shown.map(present),
    nextCursor: more ? encodePosition(word, positionOf(last)) : null,
    ...(total !== null && { total: Math.min(total, MAX_COUNTED) }),
  };
}

const fieldOf = (word: string): string => word.replace(/^-/, '');

const wordsOf = ({ keys }: Orders): string[] => Object.keys(keys).flatMap((field) => [field, `-${field}`]);

const encodePosition = (word: string, { key, id }: Position): string =>
  Buffer.from(JSON.stringify([word, key, id])).toString('base64url');

function decodePosition(cursor: unknown, word: string, { keys }: Orders): Position | undefined {
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR) return undefined;
  const parts = parse(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(parts)) return undefined;
  const [order, key, id] = parts as unknown[];
  const isKey = typeof key === 'string' && keys[fieldOf(word)]?.test(key) === true;
  return order === word && isKey && typeof id === 'string' && isUlid(id) ? { key, id } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

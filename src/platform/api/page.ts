import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { AppError, type Violation } from '../errors/index.js';
import type { AnswerDecorator } from './documentation.decorator.js';
import { Output } from './fields/declared.js';
import { objectListField } from './fields/list-fields.js';
import { textField } from './fields/text-fields.js';
import { integerField } from './fields/value-fields.js';
import { acceptQuery } from './query.js';
import { ApiOkResponse, ApiQuery } from './swagger/described.js';
import { isUlid } from '../../kernel/index.js';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;
/** Maximum number that a list counts to: counting is work for each row, a page is not (ADR 29). */
export const MAX_COUNTED = 10_000;

/** Requested page of a list: at most `limit` items, after the item with the id `after`. */
export interface Page {
  readonly limit: number;
  readonly after: string | null;
}

/** Page of a list, and the cursor of the next page; null on the last page. */
export interface ItemPage<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
  /** Number of all items, on the first page of lists that count. */
  readonly total?: number;
}

/**
 * Handler parameter: the page requested by `?cursor=&limit=`.
 * @throws {AppError} validation-error
 */
export const PageOf = createParamDecorator(
  (_: unknown, context: ExecutionContext): Page => {
    const { cursor, limit } = context.switchToHttp().getRequest<Request>().query;
    return readPage({ cursor, limit });
  },
  [acceptQuery('cursor', 'limit')],
);

/**
 * Reads the page that a cursor and a limit ask for.
 * @throws {AppError} validation-error
 */
export function readPage({ cursor, limit }: { cursor: unknown; limit: unknown }): Page {
  const violations: Violation[] = [];
  const after = cursor === undefined || cursor === '' ? null : decode(cursor);
  if (after === undefined)
    violations.push({ propertyPath: 'cursor', message: 'must be a nextCursor of this list' });
  const size = limitOf(limit, violations);
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return { limit: size, after: after ?? null };
}

/** Reads `?limit=`; adds a violation if it is none. */
export function limitOf(limit: unknown, violations: Violation[]): number {
  const size =
    limit === undefined || limit === '' ? DEFAULT_LIMIT : Number(/^\d{1,3}$/.exec(String(limit))?.[0]);
  if (!(size >= 1 && size <= MAX_LIMIT))
    violations.push({ propertyPath: 'limit', message: `must be a number from 1 to ${MAX_LIMIT}` });
  return size;
}

const MAX_CURSOR = 64;
const TOTAL = integerField({
  min: 0,
  max: MAX_COUNTED,
  example: 214,
  description: 'Number of items that match, on the first page only; 10000 stands for that many or more.',
});

interface ListRules {
  /** Whether the first page says how many items match. */
  readonly counted?: boolean;
  readonly maxCursor?: number;
}

const lists = new Map<Type, Type>();

/**
 * Documents a list: its query and its response, `MemberListResponse` for items of the class
 * `MemberResponse`.
 */
export function Paged<Item>(item: Type<Item>, rules?: ListRules): AnswerDecorator<ItemPage<Item>> {
  return documentPages(item, rules);
}

/** Documents a list, whatever its handler returns. */
export function documentPages(item: Type, rules: ListRules = {}): MethodDecorator {
  const { maxCursor = MAX_CURSOR } = rules;
  return applyDecorators(
    ApiOkResponse({ type: listClassOf(item, rules) }),
    ApiQuery({
      name: 'cursor',
      required: false,
      description: 'nextCursor of the previous page.',
      schema: {
        type: 'string',
        pattern: '^[\\w-]*$',
        maxLength: maxCursor,
        examples: ['MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE'],
      },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'Maximum number of items.',
      schema: {
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
        examples: [DEFAULT_LIMIT],
      },
    }),
  );
}

/**
 * Builds a page from rows.
 * @param rows at most one more than the limit; that one shows that there is a next page
 * @param present maps a row to an item
 * @param idOf returns the value by which the list is ordered; by default `id`
 */
export function toPage<R extends { readonly id: string }, T>(
  rows: readonly R[],
  page: Page,
  present: (row: R) => T,
): ItemPage<T>;
export function toPage<R, T>(
  rows: readonly R[],
  page: Page,
  present: (row: R) => T,
  idOf: (row: R) => string,
): ItemPage<T>;
export function toPage<R, T>(
  rows: readonly R[],
  { limit }: Page,
  present: (row: R) => T,
  idOf = (row: R): string => (row as { readonly id: string }).id,
): ItemPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: shown.map((row) => present(row)),
    nextCursor: more ? Buffer.from(idOf(last)).toString('base64url') : null,
  };
}

/** Returns the class of a page of items, for the API documentation: one for each class of items. */
function listClassOf(item: Type, { counted = false, maxCursor = MAX_CURSOR }: ListRules): Type {
  const known = lists.get(item);
  if (known) return known;
  const name = `${item.name.replace(/Response$/, '')}ListResponse`;
  const { [name]: list } = { [name]: class {} };
  if (!list) throw new Error(`The class ${name} was not created.`);
  Output(objectListField(() => item, MAX_LIMIT, 'Entries of this page, at most `limit`.'))(
    list.prototype,
    'items',
  );
  const cursor = textField({ max: maxCursor, description: 'null on the last page.', example: null });
  Output(cursor, { nullable: true })(list.prototype, 'nextCursor');
  if (counted) Output(TOTAL, { required: false })(list.prototype, 'total');
  lists.set(item, list);
  return list;
}

function decode(cursor: unknown): string | undefined {
  if (typeof cursor !== 'string' || cursor.length > 64) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  return isUlid(id) ? id : undefined;
}

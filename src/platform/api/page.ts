import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppError, type Violation } from '../errors/index.js';
import { ApiQuery } from './swagger/described.js';
import { isUlid } from '../../kernel/index.js';

const LARGEST = 100;
const USUAL = 50;

/** Which part of a list is asked for: at most `limit` items, after the item of this id. */
export interface Page {
  readonly limit: number;
  readonly after: string | null;
}

/** A part of a list, and how to ask for the next one; null at the end. */
interface ItemPage<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
}

/** Handler parameter: the page that `?cursor=&limit=` asks for. */
export const PageOf = createParamDecorator((_: unknown, context: ExecutionContext): Page => {
  const { cursor, limit } = context.switchToHttp().getRequest<Request>().query;
  const violations: Violation[] = [];
  const after = cursor === undefined || cursor === '' ? null : decode(cursor);
  if (after === undefined)
    violations.push({ propertyPath: 'cursor', message: 'must be a nextCursor of this list' });
  const size = limit === undefined || limit === '' ? USUAL : Number(/^\d{1,3}$/.exec(String(limit))?.[0]);
  if (!(size >= 1 && size <= LARGEST))
    violations.push({ propertyPath: 'limit', message: `must be a number from 1 to ${LARGEST}` });
  if (violations.length > 0) throw new AppError('validation-error', { violations });
  return { limit: size, after: after ?? null };
});

/** Documents the query of a list. */
export function Paged(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'cursor',
      required: false,
      description: 'The nextCursor of the page before.',
      schema: {
        type: 'string',
        pattern: '^[\\w-]*$',
        maxLength: 64,
        examples: ['MDFLM1Y5RDdROFo0WDVONk03UDhSOVMwVDE'],
      },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      description: 'How many items at most.',
      schema: {
        type: 'integer',
        format: 'int32',
        minimum: 1,
        maximum: LARGEST,
        default: USUAL,
        examples: [USUAL],
      },
    }),
  );
}

/**
 * Makes a page of rows.
 * @param rows one more than the limit, if there are that many
 * @param idOf the id by which the list is ordered
 */
export function toPage<R, T>(
  rows: readonly R[],
  { limit }: Page,
  idOf: (row: R) => string,
  present: (row: R) => T,
): ItemPage<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: shown.map(present),
    nextCursor: more ? Buffer.from(idOf(last)).toString('base64url') : null,
  };
}

function decode(cursor: unknown): string | undefined {
  if (typeof cursor !== 'string' || cursor.length > 64) return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  return isUlid(id) ? id : undefined;
}

import type { MemberSource, MemberStatus } from './member.entity.js';
import { endingBefore, holdsOn, notEnded } from './member-sql.js';
import { isSearchedAnywhere } from '../../../platform/database/index.js';
import { type Orders, type SortedPage, TEXT_KEY, TIME_KEY } from '../../../platform/api/index.js';

/** Orders of the list. */
export const MEMBER_ORDERS = {
  keys: { name: TEXT_KEY, email: TEXT_KEY, joinedAt: TIME_KEY },
  byDefault: 'name',
} as const satisfies Orders;

export type MemberPage = SortedPage<keyof typeof MEMBER_ORDERS.keys>;

/** Conditions of the list. */
export interface MemberFilter {
  /** Any part of the name or the address, or its beginning: see {@link isSearchedAnywhere}. */
  readonly query: string | null;
  readonly roleId: string | null;
  readonly status: MemberStatus | null;
  readonly source: MemberSource | null;
  /** Lists only those who hold a role on one of these things; null for all. */
  readonly things: readonly string[] | null;
  /** Lists only those whose membership, or a role of whom, ends before this time. */
  readonly endsBefore?: Date | undefined;
}

/** For each order: the column, its value in a cursor, and that value as a parameter. */
export const SORTED_BY: Readonly<
  Record<MemberPage['sort'], { column: string; key: string; value: (parameter: string) => string }>
> = {
  name: { column: 'name_key', key: 'm.name_key', value: (parameter) => parameter },
  email: { column: 'address_key', key: 'm.address_key', value: (parameter) => parameter },
  joinedAt: {
    column: 'joined_at',
    key: '(extract(epoch FROM m.joined_at) * 1000000)::bigint::text',
    value: (parameter) => `to_timestamp(0) + ${parameter}::bigint * interval '1 microsecond'`,
  },
};

/** Compares with the beginning of a text; U+10FFFF is the last of all characters. */
const beginsWith = (column: string, parameter: string): string =>
  `(${column} >= search_key(${parameter}) AND ${column} < search_key(${parameter}) || chr(1114111))`;

/** Conditions of a list, with their parameters from $2 on. Columns have no prefix. */
interface Matching {
  readonly within: string;
  /** Condition of a search for any part; null for none. */
  readonly match: string | null;
  readonly parameters: unknown[];
}

export function matching({ query, roleId, status, source, things, endsBefore }: MemberFilter): Matching {
  const parameters: unknown[] = [];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
  const role =
    roleId === null
      ? ''
      : `AND EXISTS (SELECT 1 FROM member_roles mr WHERE mr.tenant_id = members.tenant_id AND mr.user_id = members.user_id AND mr.role_id = ${bind(roleId)} AND ${notEnded('mr')})`;
  const sharing = things === null ? '' : `AND ${holdsOn('members', bind(things))}`;
  const state = status === null ? '' : `AND status = ${bind(status)}`;
  const added = source === null ? '' : `AND source = ${bind(source)}`;
  const ending = endsBefore === undefined ? '' : `AND members.user_id IN (${endingBefore(bind(endsBefore))})`;
  const within = `tenant_id = $1 AND ${notEnded('members')} ${state} ${added} ${role} ${sharing} ${ending}`;
  if (query === null) return { within, match: null, parameters };
  const text = bind(query);
  if (!isSearchedAnywhere(query)) {
    const begins = `(${beginsWith('name_key', text)} OR ${beginsWith('address_key', text)})`;
    return { within: `${within} AND ${begins}`, match: null, parameters };
  }
  const pattern = `search_pattern(${text})`;
  return { within, match: `(name_key LIKE ${pattern} OR address_key LIKE ${pattern})`, parameters };
}

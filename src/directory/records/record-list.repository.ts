import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { columnsOf, TenantDatabase } from '../../platform/database/index.js';
import { parseFilter } from '../scim/filter.js';
import { compileFilter } from '../scim/filter-sql.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectoryGroupEntity, type RecordColumns } from './record.entity.js';
import type { DirectoryScope } from './record-rules.js';

/** Selection of a list: `startIndex` begins at 1 (RFC 7644 section 3.4.2.4). */
export interface Selection {
  readonly filter?: string;
  readonly startIndex?: number;
  readonly count?: number;
  /** Instead of a startIndex (RFC 9865): '' for the first page. */
  readonly cursor?: string;
  readonly sortBy?: string;
  readonly descending?: boolean;
}

/** A page of records. */
export interface RecordPage<E> {
  readonly items: E[];
  /** Exact to {@link MAX_TOTAL}. */
  readonly total: number;
  readonly nextCursor: string | null;
}

/** Records above it are not counted. */
export const MAX_TOTAL = 10_000;
const DEFAULT_COUNT = 100;
const MAX_COUNT = 1_000;
/** Largest record that an earlier release has stored. */
const MAX_FORMER_RECORD_BYTES = 262_144;
/** Attributes of the records of a page: a replica has all of them in memory at once. */
const MAX_PAGE_BYTES = 16 * 1_048_576;

/** Lists users and groups of a directory by the same rules. */
@Injectable()
export class RecordListRepository {
  /** Records that are never more than {@link MAX_PAGE_BYTES}. */
  private readonly smallPage: number;

  constructor(
    private readonly tenants: TenantDatabase,
    @Inject(SETTINGS) { LIMIT_RECORD_BYTES }: Settings,
  ) {
    this.smallPage = Math.floor(MAX_PAGE_BYTES / Math.max(MAX_FORMER_RECORD_BYTES, LIMIT_RECORD_BYTES));
  }

  /**
   * Lists records, by default in order of id. Pages by cursor are always in that order: they
   * neither skip nor repeat a record while others are written.
   * @throws {ScimError} invalidFilter, invalidCursor; invalidPath for an order by another
   *   attribute; tooMany for a page that is too large
   */
  async list<E extends RecordColumns>(
    { tenantId, directoryId }: DirectoryScope,
    entity: new () => E,
    selection: Selection,
  ): Promise<RecordPage<E>> {
    const isGroup = (entity as unknown) === DirectoryGroupEntity;
    const parameters: unknown[] = [directoryId];
    const bind = (value: unknown): string => `$${parameters.push(value) + 1}`;
    const condition =
      selection.filter === undefined
        ? 'true'
        : compileFilter(parseFilter(selection.filter), isGroup ? 'group' : 'user', bind);
    const table = isGroup ? 'directory_groups' : 'directory_users';
    const from = `FROM ${table} r WHERE r.tenant_id = $1 AND r.directory_id = $2 AND ${condition}`;
    const counted = await this.tenants.row<{ total: number }>(
      tenantId,
      `SELECT count(*)::int AS total FROM (SELECT 1 ${from} LIMIT ${MAX_TOTAL}) AS c`,
      parameters,
    );
    const { cursor } = selection;
    const after = cursor === undefined ? '' : ` AND r.id > ${bind(idOfCursor(cursor))}`;
    const size = pageSizeOf(selection);
    const limit = bind(size);
    const offset = bind(
      cursor === undefined ? bounded(selection.startIndex ?? 1, 1, Number.MAX_SAFE_INTEGER) - 1 : 0,
    );
    const page = `${from}${after} ORDER BY ${orderOf(selection, isGroup)} LIMIT ${limit} OFFSET ${offset}`;
    if (Math.min(size, counted?.total ?? 0) > this.smallPage)
      await this.requireSize(tenantId, page, parameters);
    const items = await this.tenants.rows<E>(
      tenantId,
      `SELECT ${columnsOf(entity, 'r')} ${page}`,
      parameters,
    );
    const isFull = cursor !== undefined && size > 0 && items.length === size;
    const last = isFull ? items.at(-1) : undefined;
    return { items, total: counted?.total ?? 0, nextCursor: last ? cursorOf(last.id) : null };
  }

  /** @throws {ScimError} tooMany if the records of a page are too large to read at once */
  private async requireSize(tenantId: TenantId, page: string, parameters: readonly unknown[]): Promise<void> {
    const row = await this.tenants.row<{ bytes: number }>(
      tenantId,
      `SELECT coalesce(sum(octet_length(p.attributes::text)), 0)::float8 AS bytes FROM (SELECT r.attributes ${page}) AS p`,
      parameters,
    );
    if ((row?.bytes ?? 0) > MAX_PAGE_BYTES)
      throw new ScimError(400, 'tooMany', 'The resources are larger than 16 MiB. Ask for fewer by count.');
  }
}

/** Returns how many records a page has at most. */
export const pageSizeOf = ({ count = DEFAULT_COUNT }: Selection): number => bounded(count, 0, MAX_COUNT);

const SORT_COLUMNS: Readonly<Record<string, string>> = {
  id: 'r.id',
  externalid: 'r.external_id',
  displayname: 'r.display_name_key',
  'meta.created': 'r.created_at',
  'meta.lastmodified': 'r.updated_at',
};
const USER_SORT_COLUMNS: Readonly<Record<string, string>> = {
  ...SORT_COLUMNS,
  username: 'r.user_name_key',
  emails: 'r.email_key',
  'emails.value': 'r.email_key',
};

/** Returns the order; records without the attribute are last (RFC 7644 section 3.4.2.3). */
function orderOf({ sortBy, descending, cursor }: Selection, isGroup: boolean): string {
  if (sortBy === undefined || cursor !== undefined) return 'r.id';
  const name = sortBy.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/, '');
  const columns = isGroup ? SORT_COLUMNS : USER_SORT_COLUMNS;
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined)
    throw new ScimError(400, 'invalidPath', 'Lists are not sorted by this attribute.');
  return descending === true ? `${column} DESC NULLS FIRST, r.id DESC` : `${column} NULLS LAST, r.id`;
}

const cursorOf = (id: string): string => Buffer.from(id).toString('base64url');

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString();
  if (cursor !== '' && !/^[0-9A-Z]{26}$/.test(id))
    throw new ScimError(400, 'invalidCursor', 'The cursor is not of this list.');
  return id;
}

/** Returns a number within bounds; negative and huge ones count as the nearest bound. */
const bounded = (value: number, min: number, max: number): number =>
  Math.min(Math.max(Number.isInteger(value) ? value : min, min), max);

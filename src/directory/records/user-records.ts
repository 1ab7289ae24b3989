import { Injectable } from '@nestjs/common';
import { canonicalEmail, isEmailAddress, newId, type TenantId } from '../../kernel/index.js';
import { columnsOf, Database, isUniqueViolation, TenantDatabase } from '../../platform/database/index.js';
import { type Attributes, isComplex, normalizeResource, primaryEmail } from '../scim/attributes.js';
import { parseFilter } from '../scim/filter.js';
import { compileFilter } from '../scim/filter-sql.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectoryUserEntity } from './user.entity.js';

/** A directory of a tenant. */
export interface DirectoryScope {
  readonly tenantId: TenantId;
  readonly directoryId: string;
}

/** Selection of a list: `startIndex` begins at 1 (RFC 7644 section 3.4.2.4). */
export interface Selection {
  readonly filter?: string;
  readonly startIndex?: number;
  readonly count?: number;
}

interface UserList {
  readonly users: DirectoryUserEntity[];
  /** Exact to {@link MAX_TOTAL}. */
  readonly total: number;
}

const MAX_TOTAL = 10_000;
const DEFAULT_COUNT = 100;
const MAX_COUNT = 1_000;
const MAX_NAME_LENGTH = 255;
const COLUMNS = columnsOf(DirectoryUserEntity);

/** Stores people as directories sent them. Each change has a version, the text of the ETag. */
@Injectable()
export class UserRecords {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** @throws {ScimError} 400 for a body that is not valid; 409 for a taken userName or externalId */
  async create(scope: DirectoryScope, body: unknown): Promise<DirectoryUserEntity> {
    const id = newId();
    const attributes = attributesOf(body);
    const sql = `INSERT INTO directory_users (tenant_id, directory_id, id, attributes, user_name_key, external_id, active, email_key, display_name_key)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`;
    return this.written(scope, sql, id, attributes);
  }

  find({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryUserEntity | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND id = $3`,
      [directoryId, id],
    );
  }

  /**
   * Lists records in order of id.
   * @throws {ScimError} invalidFilter
   */
  async list({ tenantId, directoryId }: DirectoryScope, selection: Selection): Promise<UserList> {
    const parameters: unknown[] = [directoryId];
    const bind = (value: unknown): string => `$${parameters.push(value) + 1}`;
    const condition =
      selection.filter === undefined ? 'true' : compileFilter(parseFilter(selection.filter), 'user', bind);
    const from = `FROM directory_users r WHERE r.tenant_id = $1 AND r.directory_id = $2 AND ${condition}`;
    const counted = await this.tenants.row<{ total: number }>(
      tenantId,
      `SELECT count(*)::int AS total FROM (SELECT 1 ${from} LIMIT ${MAX_TOTAL}) AS c`,
      parameters,
    );
    const limit = bind(bounded(selection.count ?? DEFAULT_COUNT, 0, MAX_COUNT));
    const offset = bind(bounded(selection.startIndex ?? 1, 1, Number.MAX_SAFE_INTEGER) - 1);
    const columns = columnsOf(DirectoryUserEntity, 'r');
    const users = await this.tenants.rows<DirectoryUserEntity>(
      tenantId,
      `SELECT ${columns} ${from} ORDER BY r.id LIMIT ${limit} OFFSET ${offset}`,
      parameters,
    );
    return { users, total: counted?.total ?? 0 };
  }

  /**
   * Replaces a record (PUT).
   * @param version of the caller's If-Match; null without
   * @throws {ScimError} 404, 412, and as {@link create}
   */
  replace(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    body: unknown,
  ): Promise<DirectoryUserEntity> {
    return this.change(scope, id, version, () => attributesOf(body));
  }

  /** Applies operations of PATCH. Parameters and errors as for {@link replace}. */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<DirectoryUserEntity> {
    return this.change(scope, id, version, (stored) => attributesOf(applyPatch(stored, operations)));
  }

  /** @throws {ScimError} 404 */
  async remove({ tenantId, directoryId }: DirectoryScope, id: string): Promise<DirectoryUserEntity> {
    const sql = `DELETE FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 RETURNING ${COLUMNS}`;
    return (await this.tenants.row<DirectoryUserEntity>(tenantId, sql, [directoryId, id])) ?? throwNotFound();
  }

  /** Changes a record under its lock, so that one of several writers with an If-Match succeeds. */
  private change(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    derive: (stored: Attributes) => Attributes,
  ): Promise<DirectoryUserEntity> {
    return this.database.transaction(async () => {
      const stored = await this.tenants.row<DirectoryUserEntity>(
        scope.tenantId,
        `SELECT ${COLUMNS} FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 FOR UPDATE`,
        [scope.directoryId, id],
      );
      if (!stored) throwNotFound();
      if (version !== null && version !== stored.version)
        throw new ScimError(412, null, 'The resource has changed. Read it again.');
      const sql = `UPDATE directory_users SET attributes = $4, user_name_key = $5, external_id = $6, active = $7, email_key = $8,
          display_name_key = $9, version = version + 1, updated_at = now()
        WHERE tenant_id = $1 AND directory_id = $2 AND id = $3 RETURNING ${COLUMNS}`;
      return this.written(scope, sql, id, derive(stored.attributes));
    });
  }

  private async written(
    { tenantId, directoryId }: DirectoryScope,
    sql: string,
    id: string,
    attributes: Attributes,
  ): Promise<DirectoryUserEntity> {
    const { userName, externalId = null, active, displayName } = attributes;
    const email = primaryEmail(attributes);
    const values = [
      directoryId,
      id,
      JSON.stringify(attributes),
      String(userName).toLowerCase(),
      externalId,
      active,
      email === null || !isEmailAddress(email) ? null : canonicalEmail(email),
      typeof displayName === 'string' ? displayName.toLowerCase() : null,
    ];
    try {
      const row = await this.tenants.row<DirectoryUserEntity>(tenantId, sql, values);
      return row ?? throwNotFound();
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ScimError(409, 'uniqueness', 'Another user has this userName or externalId.');
    }
  }
}

/** Returns what is stored of a body: normalized, without what clients cannot set. */
function attributesOf(body: unknown): Attributes {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  const attributes: Attributes = { active: true, ...normalizeResource(body) };
  const { userName, externalId } = attributes;
  if (typeof userName !== 'string' || userName === '' || userName.length > MAX_NAME_LENGTH)
    throw new ScimError(400, 'invalidValue', `userName must have 1 to ${MAX_NAME_LENGTH} characters.`);
  const isText = typeof externalId === 'string' && externalId !== '' && externalId.length <= MAX_NAME_LENGTH;
  if (externalId !== undefined && !isText)
    throw new ScimError(400, 'invalidValue', `externalId must have 1 to ${MAX_NAME_LENGTH} characters.`);
  if (JSON.stringify(attributes).includes('\\u0000'))
    throw new ScimError(400, 'invalidValue', 'Texts must not contain the character U+0000.');
  return attributes;
}

/** Returns a number within bounds; negative and huge ones count as the nearest bound. */
const bounded = (value: number, min: number, max: number): number =>
  Math.min(Math.max(Number.isInteger(value) ? value : min, min), max);

function throwNotFound(): never {
  throw new ScimError(404, null, 'The resource does not exist.');
}

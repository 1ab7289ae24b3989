import { Injectable } from '@nestjs/common';
import {
  type MemberDirectory,
  NamedInTrail,
  type NamedThing,
  nameOf,
  NamesDirectories,
} from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  findAnyPart,
  isSearchedAnywhere,
  prepared,
  TenantDatabase,
} from '../../platform/database/index.js';
import { foldName, personNameOf } from '../scim/attributes.js';
import { DirectoryGroupEntity, DirectoryUserEntity } from './record.entity.js';
import type { DirectoryScope } from './record-rules.js';

/** What of the people of a directory is listed; all without it. */
export interface PeopleFilter {
  readonly state?: string;
  /** Any part of names and address, or their beginning: see {@link isSearchedAnywhere}. */
  readonly query?: string;
  readonly groupId?: string;
}

/** A group, with the number of people in it up to a maximum. */
export interface CountedGroup extends Pick<DirectoryGroupEntity, 'id' | 'updatedAt'> {
  readonly name: string;
  readonly members: number;
}

/** A group of a member, with its directory. */
export interface MemberGroup {
  readonly id: string;
  readonly name: string;
  readonly directoryId: string;
  readonly directoryName: string;
}

/** Maximum number of groups of a member that are listed. */
export const MAX_GROUPS = 100;

/** Conditions of a list, with their parameters from $2 on. Columns have no prefix. */
interface Matching {
  readonly within: string;
  /** Condition of a search for any part; null for none. */
  readonly match: string | null;
  readonly parameters: unknown[];
}

function matching(directoryId: string, { state, query, groupId }: PeopleFilter): Matching {
  const parameters: unknown[] = [directoryId];
  const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
  const conditions = ['tenant_id = $1 AND directory_id = $2'];
  if (state !== undefined) conditions.push(`state = ${bind(state)}`);
  if (groupId !== undefined)
    conditions.push(`EXISTS (SELECT 1 FROM directory_group_members gm WHERE gm.tenant_id = $1 AND gm.directory_id = $2
      AND gm.group_id = ${bind(groupId)} AND gm.user_id = directory_users.id)`);
  if (query === undefined || isSearchedAnywhere(query)) {
    const match = query === undefined ? null : `search_text LIKE search_pattern(${bind(query)})`;
    return { within: conditions.join(' AND '), match, parameters };
  }
  const text = bind(foldName(query));
  const begins = (key: string): string => `(${key} >= ${text} AND ${key} < ${text} || chr(1114111))`;
  conditions.push(`(${begins('user_name_key')} OR ${begins('display_name_key')})`);
  return { within: conditions.join(' AND '), match: null, parameters };
}

/** People and groups of directories, as administrators see them. */
@Injectable()
export class DirectoryPeopleRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Lists people in order of id, and one more if there is a next page. */
  list(
    { tenantId, directoryId }: DirectoryScope,
    page: Page,
    filter: PeopleFilter,
  ): Promise<DirectoryUserEntity[]> {
    const { within: conditions, match, parameters } = matching(directoryId, filter);
    const bind = (parameter: unknown): string => `$${parameters.push(parameter) + 1}`;
    const within = `${conditions} AND id > ${bind(page.after ?? '')}`;
    const limit = bind(page.limit + 1);
    const found =
      match === null
        ? `SELECT id FROM directory_users WHERE ${within}`
        : findAnyPart({ table: 'directory_users', columns: 'id', within, match, order: 'id', limit });
    return this.tenants.rows(
      tenantId,
      `SELECT ${columnsOf(DirectoryUserEntity, 'u')} FROM (SELECT id FROM (${found}) found ORDER BY id LIMIT ${limit}) page
       JOIN directory_users u ON u.tenant_id = $1 AND u.directory_id = $2 AND u.id = page.id ORDER BY u.id`,
      parameters,
    );
  }

  /** Counts the people that match, up to `max`. */
  async count({ tenantId, directoryId }: DirectoryScope, filter: PeopleFilter, max: number): Promise<number> {
    const { within, match, parameters } = matching(directoryId, filter);
    const row = await this.tenants.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM directory_users WHERE ${within} AND ${match ?? 'true'} LIMIT ${max}) u`,
      parameters,
    );
    return row?.count ?? 0;
  }

  /**
   * Lists groups in order of id, and one more if there is a next page. The order of the members is
   * the index's: for an equation the planner may read the table, where few groups have most people.
   */
  listGroups(
    { tenantId, directoryId }: DirectoryScope,
    { limit, after }: Page,
    maxMembers: number,
  ): Promise<CountedGroup[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT g.id, g.attributes ->> 'displayName' AS name, g.updated_at AS "updatedAt", (
         SELECT count(*)::int FROM (SELECT 1 FROM directory_group_members gm WHERE gm.tenant_id = g.tenant_id
           AND gm.directory_id = g.directory_id AND gm.group_id BETWEEN g.id AND g.id ORDER BY gm.group_id, gm.user_id LIMIT $5) counted) AS members
       FROM directory_groups g WHERE g.tenant_id = $1 AND g.directory_id = $2 AND g.id > $3 ORDER BY g.id LIMIT $4`,
      [directoryId, after ?? '', limit + 1, maxMembers],
    );
  }

  @NamesDirectories()
  findDirectoriesOf(tenantId: TenantId, userIds: readonly UserId[]): Promise<MemberDirectory[]> {
    return this.tenants.rows(
      tenantId,
      prepared(`SELECT u.account_id AS "userId", d.name FROM directory_users u JOIN directories d ON d.tenant_id = u.tenant_id AND d.id = u.directory_id
       WHERE u.tenant_id = $1 AND u.account_id = ANY($2)`),
      [userIds],
    );
  }

  /** Returns the names of records that exist. */
  @NamedInTrail({ collection: 'iam/directory-users', scope: 'iam:directory:read' })
  async findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const rows = await this.tenants.rowsOfEach<Pick<DirectoryUserEntity, 'tenantId' | 'id' | 'attributes'>>(
      tenantIds,
      prepared(`SELECT u.tenant_id AS "tenantId", u.id, u.attributes FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, id)
         JOIN directories d ON d.tenant_id = asked.tenant_id
         JOIN directory_users u ON u.tenant_id = d.tenant_id AND u.directory_id = d.id AND u.id = asked.id`),
      [ids],
    );
    return rows.map(({ tenantId, id, attributes }) => ({
      tenantId,
      id,
      name: nameOf(personNameOf(attributes)) ?? String(attributes['userName']),
    }));
  }

  /** Returns the groups of a member in all directories; the first hundred. */
  listGroupsOf(tenantId: TenantId, userId: string): Promise<MemberGroup[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT g.id, g.attributes ->> 'displayName' AS name, d.id AS "directoryId", d.name AS "directoryName" FROM directory_users u
       JOIN directory_group_members gm ON gm.tenant_id = u.tenant_id AND gm.directory_id = u.directory_id AND gm.user_id = u.id
       JOIN directory_groups g ON g.tenant_id = gm.tenant_id AND g.directory_id = gm.directory_id AND g.id = gm.group_id
       JOIN directories d ON d.tenant_id = u.tenant_id AND d.id = u.directory_id
       WHERE u.tenant_id = $1 AND u.account_id = $2 ORDER BY name, g.id LIMIT ${MAX_GROUPS}`,
      [userId],
    );
  }
}

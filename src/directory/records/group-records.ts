import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { Database, isUniqueViolation } from '../../platform/database/index.js';
import { type Attributes, isComplex, normalizeResource } from '../scim/attributes.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectorySpace } from './directory-space.js';
import { DirectoryGroupEntity } from './group.entity.js';
import { GroupRecordRepository, type GroupValues } from './group-record.repository.js';
import { RecordListRepository, type RecordPage, type Selection } from './record-list.repository.js';
import {
  type DirectoryScope,
  requireName,
  requireStorable,
  requireVersion,
  throwNotFound,
} from './record-rules.js';

/** A group, and the ids of the records that are its members. */
export interface GroupWithMembers {
  readonly group: DirectoryGroupEntity;
  readonly memberIds: readonly string[];
}

/** A group that was written, and who was a member before. */
export interface WrittenGroup extends GroupWithMembers {
  readonly formerMemberIds: readonly string[];
}

/** Stores groups as directories sent them. Members are rows, and not part of the attributes. */
@Injectable()
export class GroupRecords {
  constructor(
    private readonly database: Database,
    private readonly groups: GroupRecordRepository,
    private readonly lists: RecordListRepository,
    private readonly space: DirectorySpace,
  ) {}

  /**
   * @throws {ScimError} 400 for a body or member that is not valid; 409 for a taken externalId; 413
   *   for a group that is too large, or a directory that is full
   */
  create(scope: DirectoryScope, body: unknown): Promise<WrittenGroup> {
    return this.database.transaction(() => {
      const id = newId();
      const { maxRecords } = this.space;
      return this.write(scope, id, body, null, (values) => this.groups.insert(scope, id, values, maxRecords));
    });
  }

  async find(scope: DirectoryScope, id: string): Promise<GroupWithMembers | null> {
    const group = await this.groups.find(scope, id);
    return group && { group, memberIds: await this.groups.listMemberIds(scope, id) };
  }

  /** Lists groups without their members. @throws {ScimError} invalidFilter */
  list(scope: DirectoryScope, selection: Selection): Promise<RecordPage<DirectoryGroupEntity>> {
    return this.lists.list(scope, DirectoryGroupEntity, selection);
  }

  /**
   * Replaces a group and its members (PUT).
   * @param version of the caller's If-Match; null without
   * @throws {ScimError} 404, 412, and as {@link create}
   */
  replace(scope: DirectoryScope, id: string, version: number | null, body: unknown): Promise<WrittenGroup> {
    return this.change(scope, id, version, () => body);
  }

  /** Applies operations of PATCH. Parameters and errors as for {@link replace}. */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<WrittenGroup> {
    return this.change(scope, id, version, (stored) => applyPatch(stored, operations));
  }

  /**
   * Removes a group and its memberships.
   * @returns the group with its members of before
   * @throws {ScimError} 404, 412
   */
  remove(scope: DirectoryScope, id: string, version: number | null = null): Promise<GroupWithMembers> {
    return this.database.transaction(async () => {
      const memberIds = await this.groups.listMemberIds(scope, id);
      const group = (await this.groups.delete(scope, id)) ?? throwNotFound();
      requireVersion(version, group.version);
      await this.groups.touchUsers(scope, memberIds);
      return { group, memberIds };
    });
  }

  private change(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    derive: (stored: Attributes) => unknown,
  ): Promise<WrittenGroup> {
    return this.database.transaction(async () => {
      const group = (await this.groups.findForUpdate(scope, id)) ?? throwNotFound();
      requireVersion(version, group.version);
      const memberIds = await this.groups.listMemberIds(scope, id);
      const members = memberIds.map((value) => ({ value }));
      const stored = { attributes: group.attributes, memberIds };
      return this.write(scope, id, derive({ ...group.attributes, members }), stored, (values) =>
        this.groups.update(scope, id, values),
      );
    });
  }

  private async write(
    scope: DirectoryScope,
    id: string,
    body: unknown,
    stored: { readonly attributes: Attributes; readonly memberIds: readonly string[] } | null,
    store: (values: GroupValues) => Promise<DirectoryGroupEntity | null>,
  ): Promise<WrittenGroup> {
    const { attributes, memberIds } = partsOf(body, stored?.attributes);
    const bytes = this.space.growthOf(attributes, stored?.attributes ?? null);
    const growth = { records: stored === null ? 1 : 0, bytes };
    const current = stored?.memberIds ?? [];
    try {
      const group = await store({ attributes, bytes, maxBytes: this.space.maxBytes });
      if (!group) {
        await this.space.requireSpace(scope, growth);
        throwNotFound();
      }
      const changed = await this.changeMembers(scope, id, current, memberIds);
      const isRenamed = stored !== null && stored.attributes['displayName'] !== attributes['displayName'];
      await this.groups.touchUsers(scope, isRenamed ? [...new Set([...current, ...memberIds])] : changed);
      return { group, memberIds: memberIds.toSorted(), formerMemberIds: current };
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new ScimError(409, 'uniqueness', 'Another group has this externalId.');
    }
  }

  /**
   * Writes the difference. A member must be a user of the same directory.
   * @returns the ids that were removed or added
   */
  private async changeMembers(
    scope: DirectoryScope,
    id: string,
    current: readonly string[],
    wanted: readonly string[],
  ): Promise<string[]> {
    const [before, after] = [new Set(current), new Set(wanted)];
    const removed = current.filter((one) => !after.has(one));
    const added = wanted.filter((one) => !before.has(one));
    const changed = [...removed, ...added];
    if (removed.length > 0) await this.groups.deleteMembers(scope, id, removed);
    if (added.length === 0) return changed;
    const growth = { bytes: this.space.growthOfMembers(added.length), maxBytes: this.space.maxBytes };
    if ((await this.groups.insertMembers(scope, id, added, growth)) === added.length) return changed;
    await this.space.requireSpace(scope, { records: 0, bytes: growth.bytes });
    throw new ScimError(400, 'invalidValue', 'A member is not a user of this directory.');
  }
}

/** Splits a body into the attributes that are stored and the ids of members, each once. */
function partsOf(
  body: unknown,
  stored?: Attributes,
): { readonly attributes: Attributes; readonly memberIds: string[] } {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  const { members = [], ...attributes } = normalizeResource(body, stored);
  requireName('displayName', attributes['displayName']);
  requireStorable(attributes);
  if (!Array.isArray(members)) throw new ScimError(400, 'invalidValue', 'members must be a list.');
  const ids = members.map((member: unknown) => (isComplex(member) ? member['value'] : undefined));
  if (!ids.every((id) => typeof id === 'string' && !id.includes('\u0000')))
    throw new ScimError(400, 'invalidValue', 'Each member needs a value, the id of a user.');
  return { attributes, memberIds: [...new Set(ids as string[])] };
}

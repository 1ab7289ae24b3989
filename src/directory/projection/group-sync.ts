import { Injectable } from '@nestjs/common';
import { TenantLock } from '../../iam/index.js';
import { newId } from '../../kernel/index.js';
import { isUniqueViolation } from '../../platform/database/index.js';
import { DirectoryRuleRepository } from '../directories/directory-rule.repository.js';
import type { DirectoryGroupEntity } from '../records/record.entity.js';
import { GroupRecordRepository } from '../records/group-record.repository.js';
import {
  DirectorySpace,
  type DirectoryScope,
  requireName,
  requireStorable,
  requireVersion,
  throwNotFound,
} from '../records/record-rules.js';
import { type Attributes, isComplex, normalizeResource } from '../scim/attributes.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectoryMembers } from './directory-members.js';
import { DirectoryTransactions } from './directory-transactions.js';

/** A group, and the ids of the records that are its members. */
export interface GroupWithMembers {
  readonly group: DirectoryGroupEntity;
  readonly memberIds: readonly string[];
}

/**
 * Writes groups and derives roles of members from them, in one transaction. Members are rows, and
 * not part of the attributes.
 */
@Injectable()
export class GroupSync {
  constructor(
    private readonly groups: GroupRecordRepository,
    private readonly rules: DirectoryRuleRepository,
    private readonly members: DirectoryMembers,
    private readonly space: DirectorySpace,
    private readonly tenantLock: TenantLock,
    private readonly transactions: DirectoryTransactions,
  ) {}

  /** @throws {ScimError} 404 */
  async get(scope: DirectoryScope, id: string): Promise<GroupWithMembers> {
    const group = (await this.groups.find(scope, id)) ?? throwNotFound();
    return { group, memberIds: await this.groups.listMemberIds(scope, id) };
  }

  /**
   * Creates a group (POST).
   * @throws {ScimError} 400 for a body or member that is not valid; 409 for a taken externalId, or
   *   mutability for the last owner; 413 for a group that is too large, or a directory that is full
   */
  create(scope: DirectoryScope, body: unknown): Promise<GroupWithMembers> {
    return this.underLock(scope, () => this.write(scope, newId(), body, null));
  }

  /**
   * Replaces a group and its members (PUT).
   * @param version of the caller's If-Match; null without
   * @throws {ScimError} 404, 412, and as {@link create}
   */
  replace(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    body: unknown,
  ): Promise<GroupWithMembers> {
    return this.change(scope, id, version, () => body);
  }

  /** Applies operations of PATCH. Parameters and errors as for {@link replace}. */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<GroupWithMembers> {
    return this.change(scope, id, version, (stored) => applyPatch(stored, operations));
  }

  /**
   * Removes a group and its memberships. Its rules wait for a group of its name.
   * @throws {ScimError} 404, 412; 409 mutability for the last owner
   */
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void> {
    return this.underLock(scope, async () => {
      const memberIds = await this.groups.listMemberIds(scope, id);
      const group = (await this.groups.delete(scope, id)) ?? throwNotFound();
      requireVersion(version, group.version);
      await this.groups.touchUsers(scope, memberIds);
      if (await this.rules.detach(scope, group)) await this.members.syncRolesOfRecords(scope, memberIds);
    });
  }

  private change(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    derive: (stored: Attributes) => unknown,
  ): Promise<GroupWithMembers> {
    return this.underLock(scope, async () => {
      const group = (await this.groups.findForUpdate(scope, id)) ?? throwNotFound();
      requireVersion(version, group.version);
      const memberIds = await this.groups.listMemberIds(scope, id);
      const members = memberIds.map((value) => ({ value }));
      return this.write(scope, id, derive({ ...group.attributes, members }), { group, memberIds });
    });
  }

  /** @param stored null for a new group */
  private async write(
    scope: DirectoryScope,
    id: string,
    body: unknown,
    stored: GroupWithMembers | null,
  ): Promise<GroupWithMembers> {
    const before = stored?.group.attributes ?? null;
    const { attributes, memberIds } = partsOf(body, before ?? {});
    const { maxBytes, maxRecords } = this.space;
    const bytes = this.space.growthOf(attributes, before);
    const values = { attributes, bytes, maxBytes };
    const group = await (
      stored ? this.groups.update(scope, id, values) : this.groups.insert(scope, id, values, maxRecords)
    ).catch(throwTaken);
    if (!group) {
      await this.space.requireSpace(scope, { records: stored ? 0 : 1, bytes });
      throwNotFound();
    }
    const formerIds = stored?.memberIds ?? [];
    const all = [...new Set([...formerIds, ...memberIds])];
    const changed = await this.changeMembers(scope, id, formerIds, memberIds);
    const isRenamed = before !== null && before['displayName'] !== attributes['displayName'];
    await this.groups.touchUsers(scope, isRenamed ? all : changed);
    const rules = await this.rules.attach(scope, id);
    if (rules.areAny) await this.members.syncRolesOfRecords(scope, rules.areNew ? all : changed);
    return { group, memberIds: memberIds.toSorted() };
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

  private underLock<T>(scope: DirectoryScope, change: () => Promise<T>): Promise<T> {
    return this.transactions.run(scope, () => this.tenantLock.underLock(scope.tenantId, change));
  }
}

function throwTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw new ScimError(409, 'uniqueness', 'Another group has this externalId.');
}

/** Splits a body into the attributes that are stored and the ids of members, each once. */
function partsOf(
  body: unknown,
  stored: Attributes,
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

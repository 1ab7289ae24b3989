import { Injectable } from '@nestjs/common';
import { GroupMembershipRepository } from '../records/group-membership.repository.js';
import { GroupSync, type GroupWithMembers } from '../projection/group-sync.js';
import {
  created,
  groupOf,
  idOf,
  listed,
  type ListResponse,
  operationsOf,
  searchOf,
  shown,
  userOf,
} from './representation.js';
import { type Query, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';
import { DirectoryGroupEntity, DirectoryUserEntity } from '../records/record.entity.js';
import { RecordListRepository } from '../records/record-list.repository.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserSync } from '../projection/user-sync.js';

/** Reads and changes records of one type. */
interface RecordSync<R> {
  get(scope: DirectoryScope, id: string): Promise<R>;
  replace(scope: DirectoryScope, id: string, version: number | null, body: unknown): Promise<R>;
  patch(scope: DirectoryScope, id: string, version: number | null, operations: unknown): Promise<R>;
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void>;
}

/** Answers calls about resources of one type: users or groups. */
export abstract class ScimRecords<R> {
  protected abstract readonly sync: RecordSync<R>;

  abstract create(call: ScimCall): Promise<ScimAnswer>;

  /** Returns a page of resources, as far as the caller asks for them. */
  abstract page(call: ScimCall, query: Query): Promise<ListResponse>;

  /** Answers with a resource; 304 without it to a caller that has its version. */
  protected abstract show(call: ScimCall, record: R): ScimAnswer | Promise<ScimAnswer>;

  async list(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, call.query) };
  }

  async search(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, searchOf(call.body)) };
  }

  async get(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, await this.sync.get(call.scope, idOf(id)));
  }

  async replace(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, await this.sync.replace(call.scope, idOf(id), versionOf(call.ifMatch), call.body));
  }

  async patch(call: ScimCall, id: string): Promise<ScimAnswer> {
    const operations = operationsOf(call.body);
    return this.show(call, await this.sync.patch(call.scope, idOf(id), versionOf(call.ifMatch), operations));
  }

  async remove(call: ScimCall, id: string): Promise<ScimAnswer> {
    await this.sync.remove(call.scope, idOf(id), versionOf(call.ifMatch));
    return { status: 204 };
  }
}

/** Answers calls about users. */
@Injectable()
export class ScimUsers extends ScimRecords<DirectoryUserEntity> {
  constructor(
    private readonly lists: RecordListRepository,
    private readonly members: GroupMembershipRepository,
    protected readonly sync: UserSync,
  ) {
    super();
  }

  async create(call: ScimCall): Promise<ScimAnswer> {
    const user = await this.sync.create(call.scope, call.body);
    return created(call, user, userOf(user, [], call.baseUrl));
  }

  /** Returns a page of users with their groups. */
  async page({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.lists.list(scope, DirectoryUserEntity, query);
    const ids = page.items.map(({ id }) => id);
    const groups = await this.members.groupsOf(scope, ids);
    return listed(page, query, (user) => userOf(user, groups.get(user.id) ?? [], baseUrl));
  }

  protected async show(call: ScimCall, user: DirectoryUserEntity): Promise<ScimAnswer> {
    const groups = await this.members.groupsOf(call.scope, [user.id]);
    return shown(call, user, userOf(user, groups.get(user.id) ?? [], call.baseUrl));
  }
}

/** Answers calls about groups. */
@Injectable()
export class ScimGroups extends ScimRecords<GroupWithMembers> {
  constructor(
    private readonly lists: RecordListRepository,
    private readonly members: GroupMembershipRepository,
    protected readonly sync: GroupSync,
  ) {
    super();
  }

  async create(call: ScimCall): Promise<ScimAnswer> {
    const { group, memberIds } = await this.sync.create(call.scope, call.body);
    return created(call, group, groupOf(group, memberIds, call.baseUrl));
  }

  /** Returns a page of groups with their members, unless these are excluded. */
  async page({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.lists.list(scope, DirectoryGroupEntity, query);
    const isShown = !query.excludedAttributes.includes('members');
    const members = await this.members.membersOf(scope, isShown ? page.items.map(({ id }) => id) : []);
    return listed(page, query, (group) => groupOf(group, members.get(group.id) ?? [], baseUrl));
  }

  protected show(call: ScimCall, { group, memberIds }: GroupWithMembers): ScimAnswer {
    return shown(call, group, groupOf(group, memberIds, call.baseUrl));
  }
}

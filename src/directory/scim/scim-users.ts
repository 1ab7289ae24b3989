import { Injectable } from '@nestjs/common';
import { MembersOfGroups } from '../records/members-of-groups.js';
import { UserRecords } from '../records/user-records.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { UserSync } from '../projection/user-sync.js';
import { userOf } from './representation.js';
import { created, type ListResponse, listed, shown } from './scim-answers.js';
import type { Query, ScimAnswer, ScimCall } from './scim-call.js';
import { ScimRecords } from './scim-records.js';

/** Answers calls about users. */
@Injectable()
export class ScimUsers extends ScimRecords<DirectoryUserEntity> {
  constructor(
    protected readonly records: UserRecords,
    private readonly members: MembersOfGroups,
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
    const page = await this.records.list(scope, query);
    const ids = page.items.map(({ id }) => id);
    const groups = await this.members.groupsOf(scope, ids);
    return listed(page, query, (user) => userOf(user, groups.get(user.id) ?? [], baseUrl));
  }

  protected async show(call: ScimCall, user: DirectoryUserEntity): Promise<ScimAnswer> {
    const groups = await this.members.groupsOf(call.scope, [user.id]);
    return shown(call, user, userOf(user, groups.get(user.id) ?? [], call.baseUrl));
  }
}

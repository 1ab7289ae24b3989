import { Injectable } from '@nestjs/common';
import { MembersOfGroups } from '../records/members-of-groups.js';
import { throwNotFound } from '../records/record-lists.js';
import { UserRecords } from '../records/user-records.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { UserSync } from '../projection/user-sync.js';
import { userOf } from './representation.js';
import { created, idOf, type ListResponse, listed, operationsOf, searchOf, shown } from './scim-answers.js';
import { type Query, type ScimAnswer, type ScimCall, type ScimResource, versionOf } from './scim-call.js';

/** Answers calls about users. */
@Injectable()
export class ScimUsers implements ScimResource {
  constructor(
    private readonly users: UserRecords,
    private readonly members: MembersOfGroups,
    private readonly sync: UserSync,
  ) {}

  async list(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, call.query) };
  }

  async search(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, searchOf(call.body)) };
  }

  async create(call: ScimCall): Promise<ScimAnswer> {
    const user = await this.sync.create(call.scope, call.body);
    return created(call, user, userOf(user, [], call.baseUrl));
  }

  async get(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, (await this.users.find(call.scope, idOf(id))) ?? throwNotFound());
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

  /** Returns a page of users with their groups. */
  async page({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.users.list(scope, query);
    const ids = page.items.map(({ id }) => id);
    const groups = await this.members.groupsOf(scope, ids);
    return listed(page, query, (user) => userOf(user, groups.get(user.id) ?? [], baseUrl));
  }

  private async show(call: ScimCall, user: DirectoryUserEntity): Promise<ScimAnswer> {
    const groups = await this.members.groupsOf(call.scope, [user.id]);
    return shown(call, user, userOf(user, groups.get(user.id) ?? [], call.baseUrl));
  }
}

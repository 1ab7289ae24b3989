import { Injectable } from '@nestjs/common';
import { GroupRecords, type GroupWithMembers } from '../records/group-records.js';
import { MembersOfGroups } from '../records/members-of-groups.js';
import { throwNotFound } from '../records/record-lists.js';
import { GroupSync } from '../projection/group-sync.js';
import { groupOf } from './representation.js';
import { created, idOf, type ListResponse, listed, operationsOf, searchOf, shown } from './scim-answers.js';
import { type Query, type ScimAnswer, type ScimCall, type ScimResource, versionOf } from './scim-call.js';

/** Answers calls about groups. */
@Injectable()
export class ScimGroups implements ScimResource {
  constructor(
    private readonly groups: GroupRecords,
    private readonly members: MembersOfGroups,
    private readonly sync: GroupSync,
  ) {}

  async list(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, call.query) };
  }

  async search(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, searchOf(call.body)) };
  }

  async create(call: ScimCall): Promise<ScimAnswer> {
    const { group, memberIds } = await this.sync.create(call.scope, call.body);
    return created(call, group, groupOf(group, memberIds, call.baseUrl));
  }

  async get(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, (await this.groups.find(call.scope, idOf(id))) ?? throwNotFound());
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

  /** Returns a page of groups with their members, unless these are excluded. */
  async page({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.groups.list(scope, query);
    const isShown = !query.excludedAttributes.includes('members');
    const members = await this.members.membersOf(scope, isShown ? page.items.map(({ id }) => id) : []);
    return listed(page, query, (group) => groupOf(group, members.get(group.id) ?? [], baseUrl));
  }

  private show(call: ScimCall, { group, memberIds }: GroupWithMembers): ScimAnswer {
    return shown(call, group, groupOf(group, memberIds, call.baseUrl));
  }
}

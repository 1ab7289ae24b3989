import { Injectable } from '@nestjs/common';
import { GroupRecords, type GroupWithMembers } from '../records/group-records.js';
import { MembersOfGroups } from '../records/members-of-groups.js';
import { GroupSync } from '../projection/group-sync.js';
import { groupOf } from './representation.js';
import { created, type ListResponse, listed, shown } from './scim-answers.js';
import type { Query, ScimAnswer, ScimCall } from './scim-call.js';
import { ScimRecords } from './scim-records.js';

/** Answers calls about groups. */
@Injectable()
export class ScimGroups extends ScimRecords<GroupWithMembers> {
  constructor(
    protected readonly records: GroupRecords,
    private readonly members: MembersOfGroups,
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
    const page = await this.records.list(scope, query);
    const isShown = !query.excludedAttributes.includes('members');
    const members = await this.members.membersOf(scope, isShown ? page.items.map(({ id }) => id) : []);
    return listed(page, query, (group) => groupOf(group, members.get(group.id) ?? [], baseUrl));
  }

  protected show(call: ScimCall, { group, memberIds }: GroupWithMembers): ScimAnswer {
    return shown(call, group, groupOf(group, memberIds, call.baseUrl));
  }
}

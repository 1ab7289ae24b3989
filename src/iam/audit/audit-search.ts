import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { AccountService } from '../accounts/account.service.js';
import type { AuditQuery } from './audit-query.dto.js';
import { MemberRepository } from '../organizations/members/member.repository.js';
import { PartnerSight } from '../organizations/partnerships/partner-sight.js';

/** People whose events a search lists: each is read by two ranges of an index. */
const MAX_PEOPLE = 50;

/** Whose events are searched for: a query comes before a person. */
type PeopleSearched = Pick<AuditQuery, 'query' | 'personId'>;

/** Finds the people whose events are searched for: the trail holds ids only. */
@Injectable()
export class AuditSearch {
  constructor(
    private readonly accounts: AccountService,
    private readonly members: MemberRepository,
    private readonly callers: CallerScopes,
    private readonly sight: PartnerSight,
  ) {}

  /**
   * Finds members by a part of their names or addresses.
   * @returns the person who is named; undefined for no search
   * @throws {AppError} validation-error for a caller who may not list members
   */
  async findMembers(
    tenantId: TenantId,
    caller: Principal,
    { query, personId }: PeopleSearched,
  ): Promise<string[] | undefined> {
    if (query === undefined) return personId === undefined ? undefined : [personId];
    const holds = await this.callers.findCallerScopes(caller, false);
    if (holds?.('iam:member:read') !== true)
      throw AppError.violation('query', 'needs the permission iam:member:read');
    const page = { sort: 'name', descending: false, limit: MAX_PEOPLE, after: null } as const;
    const things = await this.sight.findThings(caller, tenantId);
    const found = await this.members.list(tenantId, page, {
      query,
      roleId: null,
      status: null,
      source: null,
      things,
    });
    return found.slice(0, MAX_PEOPLE).map(({ userId }) => userId);
  }

  /** Finds people of the whole platform. Parameters and result as for {@link findMembers}. */
  async findPeople({ query, personId }: PeopleSearched): Promise<string[] | undefined> {
    if (query === undefined) return personId === undefined ? undefined : [personId];
    const found = await this.accounts.search(query, { limit: MAX_PEOPLE, after: null });
    return found.slice(0, MAX_PEOPLE).map(({ id }) => id);
  }
}

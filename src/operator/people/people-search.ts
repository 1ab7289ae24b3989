import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail, type FoundAccount } from '../../iam/index.js';
import { canonicalEmail, domainOf, isEmailAddress, isUlid, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { isSearchedAnywhere } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { PeopleQuery } from './people.dto.js';
import { PersonRepository } from './person.repository.js';

/** Finds people for operators. Each search is recorded in the trail of the operator. */
@Injectable()
export class PeopleSearch {
  constructor(
    private readonly people: PersonRepository,
    private readonly accounts: AccountService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists the people that one criterion selects; without one, all of them.
   * @returns one more than `page.limit` if there are more
   * @throws {AppError} validation-error for several criteria, and on `cursor` if the person whom it
   *   names has left the order of the list by an erasure
   */
  async list(callerId: UserId, criteria: PeopleQuery, page: Page): Promise<FoundAccount[]> {
    const given = Object.entries(criteria).filter(([, value]) => value !== undefined);
    const second = given[1]?.[0];
    if (second !== undefined) throw AppError.violation(second, 'cannot be combined: search by one field');
    const found = await this.find(criteria, page);
    await this.audit.record({ actorId: callerId, action: 'person.searched' });
    return found;
  }

  private find(
    { query, name, tenantId, connectionId, status }: PeopleQuery,
    page: Page,
  ): Promise<FoundAccount[]> {
    if (name !== undefined) return this.findByName(name, page);
    if (tenantId !== undefined) return this.people.listByTenant(tenantId, page);
    if (connectionId !== undefined) return this.people.listByConnection(connectionId, page);
    if (status !== undefined) return this.people.listSuspended(page);
    return query === undefined || query === '' ? this.people.listAll(page) : this.findByText(query, page);
  }

  private async findByText(query: string, page: Page): Promise<FoundAccount[]> {
    const isId: boolean = isUlid(query);
    if (isId) return this.findById(query as UserId, page);
    if (query.startsWith('@')) return this.people.listByDomain(domainOf(query), page);
    const isAddress = isEmailAddress(query.toLowerCase());
    if (!isAddress && isSearchedAnywhere(query)) return this.accounts.listByPart(query, page);
    const beginning = isAddress ? canonicalEmail(query.toLowerCase()) : query.toLowerCase();
    // A further page continues what the first one found.
    const byAddress = await this.accounts.listByAddress(beginning, { ...page, after: null });
    if (byAddress.length === 0) return this.findByName(query, page);
    return page.after === null ? byAddress : this.accounts.listByAddress(beginning, page);
  }

  private async findByName(name: string, page: Page): Promise<FoundAccount[]> {
    const found = await this.people.listByName(name, page);
    if (!found) throw AppError.violation('cursor', 'names an erased account; start without it');
    return found;
  }

  private async findById(id: UserId, { after }: Page): Promise<FoundAccount[]> {
    const person = after === null ? await this.people.find(id) : null;
    return person ? [person] : [];
  }
}

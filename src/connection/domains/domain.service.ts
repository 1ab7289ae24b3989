import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Database, isUniqueViolation } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { ConnectionDirectory } from '../connections/connection-directory.js';
import type { DomainCheck, LookupResult } from './domain-lookup.js';
import { checkDomain, newDomainToken } from './domain-name.js';
import { type Domain, DomainRepository } from './domain.repository.js';

/** Maximum number of domains of an organization. */
export const MAX_DOMAINS = 100;

/** Manages the domains of an organization. The caller has checked the permission before. */
@Injectable()
export class DomainService {
  constructor(
    private readonly database: Database,
    private readonly domains: DomainRepository,
    private readonly directory: ConnectionDirectory,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<Domain[]> {
    return this.domains.list(tenantId, page);
  }

  /** @throws {AppError} not-found */
  async get(tenantId: TenantId, id: string): Promise<Domain> {
    return (await this.domains.find(tenantId, id)) ?? AppError.notFound();
  }

  /**
   * Adds a domain, to be verified.
   * @throws {AppError} validation-error on `name` for a domain that cannot be verified; conflict if
   *   the organization has it already, or has {@link MAX_DOMAINS}
   */
  async add(tenantId: TenantId, actorId: UserId, name: string): Promise<Domain> {
    const checked = await checkDomain(name);
    if ('fault' in checked) throw AppError.violation('name', checked.fault);
    await this.database.lockNameForUpdate(`domains ${tenantId}`);
    if ((await this.domains.count(tenantId)) >= MAX_DOMAINS)
      throw new AppError('conflict', {
        detail: `There can be ${MAX_DOMAINS} domains. Remove one that is not in use.`,
      });
    const id = newId();
    const added = { id, domain: checked.domain, token: newDomainToken() };
    if (!(await this.domains.insert(tenantId, added)))
      throw new AppError('conflict', { detail: 'The organization has this domain already.' });
    await this.record(tenantId, actorId, 'added', id);
    return this.get(tenantId, id);
  }

  /**
   * Verifies a domain by the result of a lookup, which was made before the transaction.
   * @throws {AppError} conflict without the record, naming those that were found, and if another
   *   organization has verified the domain; unavailable if the lookup had no answer
   */
  async verify(tenantId: TenantId, actorId: UserId, id: string, result: DomainCheck): Promise<Domain> {
    const { status } = await this.get(tenantId, id);
    if (result.verdict === 'unknown')
      throw new AppError('unavailable', {
        detail: 'The DNS servers of the domain did not answer. Try again later.',
        retryAfterSeconds: 60,
      });
    if (result.verdict === 'missing') throw new AppError('conflict', { detail: describeMissing(result) });
    let isVerified: boolean;
    try {
      isVerified = await this.domains.markVerified(tenantId, id, result.token);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('conflict', {
        detail: 'Another organization has verified this domain. It has to remove it first.',
      });
    }
    if (!isVerified) throw new AppError('conflict', { detail: describeMissing(result) });
    if (status !== 'verified') await this.record(tenantId, actorId, 'verified', id);
    await this.announce(tenantId, id);
    return this.get(tenantId, id);
  }

  async remove(tenantId: TenantId, actorId: UserId, id: string): Promise<void> {
    await this.domains.delete(tenantId, id);
    await this.record(tenantId, actorId, 'removed', id);
  }

  /** Invalidates the connections of a domain: what they are an authority for has changed. */
  async announce(tenantId: TenantId, id: string): Promise<void> {
    await this.directory.announce(...(await this.domains.findConnectionIds(tenantId, id)));
  }

  private record(tenantId: TenantId, actorId: UserId, what: string, id: string): Promise<void> {
    return this.audit.record({ actorId, tenantId, action: `domain.${what}`, subject: `iam/domains/${id}` });
  }
}

function describeMissing({ others }: LookupResult): string {
  if (others.length === 0)
    return 'There is no TXT record of this name yet. DNS changes can take an hour: try again later.';
  const found = others.map((text) => `"${text}"`).join(', ');
  return `The TXT record does not have the expected value. Found: ${found}.`;
}

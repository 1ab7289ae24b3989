import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { newId, type Principal, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { CustomerHttp } from '../../platform/outbound/index.js';
import { type Conditions, findConditionsFault } from './conditions.js';
import type { CreateTrustRuleDto } from './trust-rule.dto.js';
import { LiveTrustRules } from './live-trust-rules.js';
import { type TrustRule, TrustRuleRepository } from './trust-rule.repository.js';

/** Rules of one account. */
const MAX_RULES = 20;

/** Manages trust rules. The caller has checked the permission before. */
@Injectable()
export class TrustRuleService {
  constructor(
    private readonly rules: TrustRuleRepository,
    private readonly live: LiveTrustRules,
    private readonly http: CustomerHttp,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  list(tenantId: TenantId, accountId: string, page: Page): Promise<TrustRule[]> {
    return this.rules.list(tenantId, accountId, page);
  }

  /**
   * @throws {AppError} validation-error on `issuer`, whose keys could never be read, or whose
   *   tokens end with their sessions, as this service's do, and on `conditions`; conflict beyond
   *   {@link MAX_RULES}
   */
  async create(
    tenantId: TenantId,
    { userId }: Principal,
    accountId: string,
    { issuer, audience, conditions }: CreateTrustRuleDto,
  ): Promise<TrustRule> {
    const unreachable = this.http.findFault(issuer);
    if (unreachable !== null) throw AppError.violation('issuer', unreachable);
    if (issuer.replace(/\/$/, '') === this.settings.PUBLIC_URL)
      throw AppError.violation('issuer', 'must not be this service, whose tokens end with their sessions');
    const fault = findConditionsFault(issuer, conditions);
    if (fault !== null) throw AppError.violation('conditions', fault);
    if ((await this.rules.count(tenantId, accountId)) >= MAX_RULES)
      throw new AppError('conflict', { detail: `There can be ${MAX_RULES} rules. Delete one first.` });
    const id = newId();
    const rule = { id, accountId, issuer, audience, conditions: conditions as Conditions, createdBy: userId };
    const created = await this.rules.insert(tenantId, rule);
    await this.record('created', tenantId, userId, id, accountId);
    return created;
  }

  /** @throws {AppError} not-found for a rule of another account */
  async delete(tenantId: TenantId, actorId: UserId, accountId: string, id: string): Promise<void> {
    if (!(await this.rules.delete(tenantId, accountId, id))) throw new AppError('not-found');
    await this.record('deleted', tenantId, actorId, id, accountId);
    await this.live.announce({ tenantId, accountId, id });
  }

  private record(
    what: string,
    tenantId: TenantId,
    actorId: UserId,
    id: string,
    holderId: string,
  ): Promise<void> {
    const subject = `iam/trust-rules/${id}`;
    return this.audit.record({ actorId, tenantId, action: `trust-rule.${what}`, subject, holderId });
  }
}

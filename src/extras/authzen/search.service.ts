import { Injectable } from '@nestjs/common';
import type { Principal, TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  AbilityRegistry,
  AbilityService,
  type EntityPolicy,
  HeldScopes,
  RoleHolders,
  memberOf,
} from '../../ability/index.js';
import { AskedSubjects, serviceAccountOf } from './asked-subjects.js';
import { toCheck } from './evaluation.service.js';
import type {
  ResourceSearchDto,
  ResourceSearchResponse,
  SubjectSearchDto,
  SubjectSearchResponse,
} from './search.dto.js';

/** A collection whose entities can be listed. */
interface Searchable {
  readonly module: string;
  readonly name: string;
  readonly list: NonNullable<EntityPolicy<unknown>['list']>;
}

const DEFAULT_LIMIT = 100;
/** Least number of entities that are judged at once: small pages would take many statements. */
const MIN_BATCH = 100;
/** Entities that one request judges: a page is short where a rule refuses most of them. */
const MAX_JUDGED = 2_000;
/** Members that one request judges, each by a separate decision. */
const MAX_MEMBERS = 1_000;

/** Searches entities, and people, by the decision of the permission check. */
@Injectable()
export class SearchService {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly abilities: AbilityService,
    private readonly holders: RoleHolders,
    private readonly subjects: AskedSubjects,
    private readonly held: HeldScopes,
  ) {}

  /**
   * Lists the entities of a collection on which the subject may use a scope now, in order of id.
   * The pages together are complete; a page may have fewer results than its limit.
   * @throws {AppError} validation-error for a collection that cannot be searched, or a token that
   *   is none; forbidden for a subject about which the caller may not ask
   */
  async findResources(
    caller: Principal,
    {
      subject,
      action,
      resource,
      page: { token = '', limit = DEFAULT_LIMIT } = {},
      context: asked,
    }: ResourceSearchDto,
  ): Promise<ResourceSearchResponse> {
    const [principal] = await this.subjects.resolve(caller, [{ subject, context: asked }]);
    if (principal === 'refused' || principal === undefined)
      throw new AppError('forbidden', { detail: 'The subject is not the caller.' });
    const scope = action.name;
    const { module, name, list } = this.getSearchable(resource.type, scope);
    const isTold = principal === caller || this.registry.find(scope)?.audience === 'tenant';
    if (principal === null || !isTold) return { results: [], page: { next_token: '' } };
    const accessible = await this.abilities.findAccessible(principal, scope);
    const context = { principal, lock: false, scopes: new Set([scope]) };
    const batch = Math.max(limit, MIN_BATCH);
    const found: string[] = [];
    let after = token === '' ? null : readToken(token);
    let isLast = accessible.isNothing;
    for (let judged = 0; !isLast && found.length < limit && judged < MAX_JUDGED; judged += batch) {
      const ids = await list({ limit: batch, after }, accessible, context);
      const checks = ids.map((id) => ({ scope, subject: { module, collection: name, id } }));
      const decisions = await this.abilities.decide(principal, checks);
      const allowed = ids.filter((_, n) => decisions[n]?.allowed === true).slice(0, limit - found.length);
      found.push(...allowed);
      after = (found.length === limit ? allowed.at(-1) : ids.at(-1)) ?? after;
      isLast = ids.length < batch && (ids.length === 0 || after === ids.at(-1));
    }
    return {
      results: found.map((id) => ({ type: resource.type, id })),
      page: { next_token: isLast ? '' : tokenOf(after) },
    };
  }

  /**
   * Lists the members who may use a scope on a resource now, in order of id, as
   * {@link findResources} does. Roles say who is judged.
   * @throws {AppError} forbidden for callers who may not ask about others; validation-error for a
   *   scope that is not of organizations, or a token that is none
   */
  async findSubjects(
    caller: Principal,
    {
      subject,
      action,
      resource,
      page: { token = '', limit = DEFAULT_LIMIT } = {},
      context,
    }: SubjectSearchDto,
  ): Promise<SubjectSearchResponse> {
    const tenantId = await this.subjects.findTenant(caller, context);
    const mayName = context?.parents === undefined || (await this.subjects.mayNameParents(caller));
    if (tenantId === null || !mayName)
      throw new AppError('forbidden', {
        detail: 'Only service accounts that may ask about others search them.',
      });
    if (subject.type !== 'user') throw AppError.violation('subject.type', 'must be user');
    if (this.registry.find(action.name)?.audience !== 'tenant')
      throw AppError.violation('action.name', 'must be a permission of organizations');
    const check = toCheck({ action, resource, context });
    const asker = serviceAccountOf(tenantId, caller.userId);
    const found: string[] = [];
    let after = token === '' ? null : readToken(token);
    let isLast = false;
    for (let judged = 0; !isLast && found.length < limit && judged < MAX_MEMBERS; judged += MIN_BATCH) {
      const holders = await this.holders.findHolders(asker, check, { limit: MIN_BATCH, after });
      isLast = holders.length < MIN_BATCH;
      for (const { userId, isActive } of holders) {
        if (found.length === limit) {
          isLast = false;
          break;
        }
        after = userId;
        const [decision] = isActive ? await this.abilities.decide(memberOf(tenantId, userId), [check]) : [];
        if (decision?.allowed === true) found.push(userId);
      }
    }
    return {
      results: found.map((id) => ({ type: 'user', id })),
      page: { next_token: isLast ? '' : tokenOf(after) },
    };
  }

  /**
   * Finds how a collection is listed: by its policy, or by what another service has registered, for
   * a permission of that service.
   * @throws {AppError} validation-error
   */
  private getSearchable(type: string, scope: string): Searchable {
    const [, module = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(type) ?? [];
    const policy = this.registry.findCollection(module, name)?.policy;
    if (policy?.list)
      return { module, name, list: async (page, ...how) => (await policy.list?.(page, ...how)) ?? [] };
    const own = this.registry.find(scope)?.own;
    if (policy || own?.module !== module || own.name !== '')
      throw AppError.violation('resource.type', 'must be a collection that can be searched');
    let above: Promise<readonly string[] | null> | undefined; // the same for each batch
    const list: Searchable['list'] = async (page, { things }, { principal: { tenantId } }) => {
      if (tenantId === null) return [];
      above ??= this.narrow(tenantId, things);
      return this.held.things.listRegistered(tenantId, type, await above, page);
    };
    return { module, name, list };
  }

  /**
   * Returns the things above the listed ones; null for all. What an entity of this service is a
   * part of only its policy says: where registered things are below such entities, all are judged.
   */
  private async narrow(
    tenantId: TenantId,
    things: readonly string[] | null,
  ): Promise<readonly string[] | null> {
    const nested = this.registry.listNestedCollections();
    const isOpaque = nested.length > 0 && (await this.held.things.isBelow(tenantId, nested));
    return isOpaque ? null : things;
  }
}

const tokenOf = (after: string | null): string =>
  after === null ? '' : Buffer.from(after).toString('base64url');

/** @throws {AppError} validation-error */
function readToken(token: string): string {
  const id = Buffer.from(token, 'base64url').toString();
  if (Buffer.from(id).toString('base64url') !== token || !/^[0-9A-Za-z_-]{1,200}$/.test(id))
    throw AppError.violation('page.token', 'must be the next_token of a page');
  return id;
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { AbilityRegistry, type Collection } from '../ability.registry.js';
import { AbilityService } from '../ability.service.js';
import { isCaller } from './evaluation.service.js';
import type { ResourceSearchDto } from './search.dto.js';
import type { ResourceSearchResponse } from './search.response.js';

const DEFAULT_LIMIT = 100;
/** Least number of entities that are judged at once: small pages would take many statements. */
const MIN_BATCH = 100;
/** Entities that one request judges: a page is short where a rule refuses most of them. */
const MAX_JUDGED = 2_000;

/** Searches entities by the decision of the permission check. */
@Injectable()
export class SearchService {
  constructor(
    private readonly registry: AbilityRegistry,
    private readonly abilities: AbilityService,
  ) {}

  /**
   * Lists the entities of a collection on which the caller may use a scope now, in order of id.
   * The pages together are complete; a page may have fewer results than its limit.
   * @throws {AppError} validation-error for a collection that cannot be searched, or a token that
   *   is none; forbidden for another subject than the caller
   */
  async findResources(
    caller: Principal,
    { subject, action, resource, page: { token = '', limit = DEFAULT_LIMIT } = {} }: ResourceSearchDto,
  ): Promise<ResourceSearchResponse> {
    if (!isCaller(subject, caller))
      throw new AppError('forbidden', { detail: 'The subject is not the caller.' });
    const { module, name, policy } = this.getSearchable(resource.type);
    const scope = action.name;
    const accessible = await this.abilities.findAccessible(caller, scope);
    const context = { principal: caller, lock: false, scopes: new Set([scope]) };
    const batch = Math.max(limit, MIN_BATCH);
    const found: string[] = [];
    let after = token === '' ? null : readToken(token);
    let isLast = accessible.isNothing;
    for (let judged = 0; !isLast && found.length < limit && judged < MAX_JUDGED; judged += batch) {
      const ids = (await policy.list?.({ limit: batch, after }, accessible, context)) ?? [];
      const checks = ids.map((id) => ({ scope, subject: { module, collection: name, id } }));
      const decisions = await this.abilities.decide(caller, checks);
      const allowed = ids.filter((_, n) => decisions[n]?.allowed === true).slice(0, limit - found.length);
      found.push(...allowed);
      after = (found.length === limit ? allowed.at(-1) : ids.at(-1)) ?? after;
      isLast = ids.length < batch && (ids.length === 0 || after === ids.at(-1));
    }
    return {
      results: found.map((id) => ({ type: resource.type, id })),
      page: { next_token: isLast || after === null ? '' : Buffer.from(after).toString('base64url') },
    };
  }

  private getSearchable(type: string): Collection {
    const [, module = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(type) ?? [];
    const collection = this.registry.findCollection(module, name);
    if (!collection?.policy.list)
      throw AppError.violation('resource.type', 'must be a collection that can be searched');
    return collection;
  }
}

/** @throws {AppError} validation-error */
function readToken(token: string): string {
  const id = Buffer.from(token, 'base64url').toString();
  if (Buffer.from(id).toString('base64url') !== token || !/^[0-9A-Za-z_-]{1,200}$/.test(id))
    throw AppError.violation('page.token', 'must be the next_token of a page');
  return id;
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '../kernel/index.js';
import { AbilityRegistry, canExist, findCollection } from './ability.registry.js';
import { Ancestors } from './ancestors.js';
import { givenParents } from './held-on-things.js';
import { HeldScopes, type Holder } from './scopes/held-scopes.js';
import type { AbilityCheck } from './subject.js';

/** Lists who holds scopes. Decides nothing. */
@Injectable()
export class RoleHolders {
  private readonly ancestors: Ancestors;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly held: HeldScopes,
  ) {
    this.ancestors = new Ancestors(registry, held);
  }

  /**
   * Lists the members whose roles hold a scope in the whole tenant, or on the subject of a check or
   * above it, in order of id. A decision may refuse some of them.
   * @param principal caller of the tenant, as whom the subject is loaded
   */
  async findHolders(
    principal: Principal,
    check: AbilityCheck,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<Holder[]> {
    const { tenantId } = principal;
    if (tenantId === null) return [];
    const things = await this.findThings(principal, check);
    return this.held.assignments.findHolders(tenantId, check.scope, things, page);
  }

  /** Finds the subject of a check and what is above it. Nothing if it does not exist. */
  private async findThings(principal: Principal, check: AbilityCheck): Promise<readonly string[]> {
    const { scope, subject } = check;
    const declared = this.registry.find(scope);
    const collection = declared && subject && findCollection(declared, subject);
    if (!collection || !canExist({ collection, id: subject.id })) return [];
    const context = { principal, lock: false, scopes: new Set([scope]) };
    const entity = (await collection.policy.load([subject.id], context)).get(subject.id);
    if (entity === undefined) return [];
    const loaded = [{ collection, id: subject.id, entity }];
    const found = (await this.ancestors.find(loaded, context, givenParents([check]))).get(entity);
    return found ? [found.thing, ...found.above] : [];
  }
}

import { Injectable } from '@nestjs/common';
import type { Principal } from '../kernel/index.js';
import { AbilityRegistry, canExist, findCollection } from './ability.registry.js';
import type { AllowedBy } from './allowed-by.js';
import { Ancestors } from './ancestors.js';
import type { Allowed, HeldBy } from './decision.js';
import { givenParents } from './held-on-things.js';
import { HeldScopes, type Holder } from './scopes/held-scopes.js';
import type { AbilityCheck } from './subject.js';

/** Answers by which roles scopes are held, and by whom. Decides nothing. */
@Injectable()
export class RoleHolders {
  private readonly ancestors: Ancestors;

  constructor(
    private readonly registry: AbilityRegistry,
    private readonly held: HeldScopes,
  ) {
    this.ancestors = new Ancestors(registry, held);
  }

  /** Finds by what an allowed check is held. The decision has found the role on a thing. */
  async findHeldBy({ userId, tenantId }: Principal, scope: string, { by }: Allowed): Promise<HeldBy | null> {
    if (by || tenantId === null) return by ?? null;
    const role = await this.held.members.findRoleWith(userId, tenantId, scope);
    return role === null ? null : { role, on: null };
  }

  /**
   * Finds what allows a command, for the audit trail.
   * @param allowed decisions of the checks
   * @returns null for a role of a member in the whole tenant
   */
  async findAllowedBy(
    principal: Principal,
    checks: readonly AbilityCheck[],
    allowed: readonly Allowed[],
  ): Promise<AllowedBy | null> {
    const { userId, tenantId } = principal;
    const via = (principal.kind === 'person' && principal.via) || null;
    if (tenantId === null) return null;
    for (const [n, decision] of allowed.entries()) {
      const by =
        via === null ? decision.by : await this.findHeldBy(principal, checks[n]?.scope ?? '', decision);
      if (by) return { ...by, userId, tenantId, via };
    }
    return null;
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

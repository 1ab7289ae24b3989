import { Injectable } from '@nestjs/common';
import { FIRST_PARTY_CLIENT, type Principal } from '../kernel/index.js';
import { AbilityRegistry, canExist, findCollection } from './ability.registry.js';
import type { AllowedBy } from './allowed-by.js';
import { Ancestors } from './ancestors.js';
import { givenParents, hasAssignments } from './held-on-things.js';
import { type HeldBy, HeldScopes, type Holder } from './scopes/held-scopes.js';
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

  /**
   * Says by what the caller holds a scope that a check has allowed: a role in the whole tenant, or
   * the one on the nearest thing.
   * @returns null for what no role of a member gives, and for clients of other authors, which learn
   *   nothing about roles
   */
  async explain(principal: Principal, check: AbilityCheck): Promise<HeldBy | null> {
    const isOtherClient = principal.kind === 'person' && principal.clientId !== FIRST_PARTY_CLIENT;
    return isOtherClient ? null : this.findHeldBy(principal, check);
  }

  /**
   * Finds what allows a command that was decided, for the audit trail.
   * @returns null for a role of a member in the whole tenant, which costs members without roles on
   *   things no statement
   */
  async findAllowedBy(principal: Principal, checks: readonly AbilityCheck[]): Promise<AllowedBy | null> {
    const { userId, tenantId } = principal;
    const via = (principal.kind === 'person' && principal.via) || null;
    if (tenantId === null || (via === null && !(await hasAssignments(this.held, principal)))) return null;
    for (const check of checks) {
      const by = await this.findHeldBy(principal, check);
      if (by && (via !== null || by.on !== null)) return { ...by, userId, tenantId, via };
    }
    return null;
  }

  private async findHeldBy(principal: Principal, check: AbilityCheck): Promise<HeldBy | null> {
    const { scope } = check;
    const { userId, tenantId } = principal;
    if (tenantId === null) return null;
    const inTenant = await this.held.members.findRoleWith(userId, tenantId, scope);
    if (inTenant !== null) return { role: inTenant, on: null };
    const things = await this.findThings(principal, check);
    return this.held.assignments.findRoleOn(userId, tenantId, scope, things);
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

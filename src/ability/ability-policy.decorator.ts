import { applyDecorators, Injectable, SetMetadata } from '@nestjs/common';
import type { Principal } from '../kernel/index.js';

export const ABILITY_POLICY = 'gatehouse:ability-policy';
export const SCOPE_RULE = 'gatehouse:scope-rule';

/** What a policy is about. `entity` is the middle part of its scopes, `collection` the one of its subjects' URIs. */
export interface PolicyOptions {
  readonly module: string;
  readonly entity: string;
  readonly collection: string;
}

/**
 * Who may hold a scope at all: `tenant` by a role in the selected tenant, `operator` whoever runs the platform, `everyone` every signed-in
 * person, over what is their own.
 */
export type ScopeAudience = 'tenant' | 'operator' | 'everyone';

export interface ScopeRuleOptions {
  readonly audience?: ScopeAudience;
  /** Built-in roles that hold it beside the owner, who holds every scope of a tenant. Usually the admin alone. */
  readonly roles?: readonly ('admin' | 'member')[];
  /** The collection, of the same module, whose entity the rule judges, where that is not the policy's own: what is created is judged by where. */
  readonly on?: string;
  /** For our own app alone, and never a scope of a satellite: what keeps, opens or ends an account. Always so for `operator`. */
  readonly firstParty?: boolean;
  /** Allowed in a closed tenant as well: what changes nothing in it, or opens it again. */
  readonly allowedWhenArchived?: boolean;
  /** Maximum age of the caller's sign-in, in seconds. Judged after everything else: nobody confirms who they are for what is refused anyway. */
  readonly maxAge?: number;
}

/** Under which circumstances entities are loaded. */
export interface LoadContext {
  readonly principal: Principal;
  /** Inside the command's transaction: lock the rows, so that what is judged stays true until it commits. */
  readonly lock: boolean;
  /** The scopes that are asked about: what only the rules of others look at need not be loaded. */
  readonly scopes: ReadonlySet<string>;
}

/** What a policy class implements beside its rules. */
export interface EntityPolicy<E> {
  /** Loads the entities of these ids in the caller's tenant, all in one go; the others are left out. */
  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, E>>;
  /** Whether a text can be an id of this collection: a ULID, unless the policy says otherwise. */
  isId?(text: string): boolean;
  /** The entity that is meant where the caller names none. */
  defaultSubject?(principal: Principal): string | null;
  /** Takes the locks that have to come before all others, inside the command's transaction. */
  lock?(principal: Principal): Promise<void>;
}

/** Marks a policy: it is found at start, and its rules become scopes. */
export function AbilityPolicy(options: PolicyOptions): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(ABILITY_POLICY, options));
}

/** A rule: a pure function of the entity and the caller that answers true, or a sentence that says why not. */
export type Rule<E> = (entity: E, principal: Principal) => true | string;

/** Declares the scope `<module>:<entity>:<action>` on the method that judges it. */
export function Scope(
  action: string,
  options: ScopeRuleOptions = {},
): <R extends Rule<never>>(target: object, key: string, descriptor: TypedPropertyDescriptor<R>) => void {
  return (_target, _key, descriptor) => {
    if (descriptor.value) Reflect.defineMetadata(SCOPE_RULE, { action, ...options }, descriptor.value);
  };
}

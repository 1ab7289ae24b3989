import { applyDecorators, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  type AuthenticationNeed,
  MAX_PROOF_AGE_SECONDS,
  type OperatorRole,
  type Principal,
} from '../kernel/index.js';
import type { MessageId } from '../platform/messages/index.js';
import type { Accessible } from './accessible.js';
import type { Refusal, SignInNeed } from './decision.js';

/** Entities of a policy: `entity` is the middle part of scopes, `collection` that of their URIs. */
export interface PolicyOptions {
  readonly module: string;
  readonly entity: string;
  readonly collection: string;
  /**
   * Message with the heading under which people read the scopes of the policy. Default:
   * `scope.<entity>`.
   */
  readonly title?: MessageId;
  /**
   * Returns the URIs of the things of which an entity is a part, the nearest ones only: a role on
   * one of them holds on the entity too (ADR 60). Default: none.
   */
  readonly parents?: (entity: never) => readonly string[];
}

/**
 * Who may hold a scope: with `tenant` members, by a role in the selected tenant; with `operator`
 * the operators of the platform; with `everyone` each signed-in person, for what they own.
 */
export type ScopeAudience = 'tenant' | 'operator' | 'everyone';

/**
 * Options of {@link Scope}. `maxAge` and `acr` are checked last, so that callers are not asked to
 * confirm their sign-in for something that is refused anyway.
 */
export interface ScopeRuleOptions extends AuthenticationNeed {
  /**
   * Message with what the scope allows, for people who compose a role: `Dispatch shipments`.
   * Default: `<title of the policy>.<action>`.
   */
  readonly title?: MessageId;
  /** Message with one more sentence about it. Default: `<title>.description`, if it is declared. */
  readonly description?: MessageId;
  /** Default: `tenant`. */
  readonly audience?: ScopeAudience;
  /**
   * Built-in roles that hold it, besides the owner, who holds every scope of a tenant. Default:
   * the admin.
   */
  readonly roles?: readonly ('admin' | 'member')[];
  /** With the audience `operator`: the least role that holds it. Default: `admin`. */
  readonly operators?: OperatorRole;
  /**
   * With the audience `operator`: whether service accounts of the platform can hold it, although
   * they prove no second factor. Default: false.
   */
  readonly platformAccounts?: true;
  /**
   * Collection, of the same module, whose entity the rule judges. Default: the policy's own. A
   * scope to create something is judged by the entity in which it is created.
   */
  readonly on?: string;
  /**
   * Reserved for the first-party app: third-party clients must not change credentials or create or
   * delete accounts. Always true for `operator`.
   */
  readonly firstParty?: boolean;
  /**
   * For people alone, by the rule: neither a token of a service account nor a key names it,
   * although roles that programs have and give include it. Default: false.
   */
  readonly peopleOnly?: true;
  /**
   * Allowed in an archived tenant as well: for what changes nothing in it, or restores it. Default:
   * true, except for `tenant`.
   */
  readonly allowedWhenArchived?: boolean;
  /**
   * False: only the person, and no operator who acts as the person. Always false for scopes that
   * are reserved for the first-party app, need a recent or strong sign-in, or belong to no tenant.
   * Default: true.
   */
  readonly impersonation?: false;
  /**
   * Allowed whatever the tenant asks of sign-ins (ADR 36): for what members must be able to do who
   * cannot enter it. Default: false.
   */
  readonly anySignIn?: boolean;
  /**
   * For `everyone`: `if-available` also accepts a session for which only an organization's
   * connection has vouched, of a person who has nothing of their own (ADR 49). Default: asks for
   * it.
   */
  readonly ownProof?: 'if-available';
}

/**
 * Options of scopes for admins among the operators, whose sign-in is strong and recent: they can
 * reach every account. Keys of service accounts of the platform prove no second factor.
 */
export const BY_OPERATORS = { audience: 'operator', maxAge: MAX_PROOF_AGE_SECONDS, acr: 'aal2' } as const;
/** The same, and for service accounts of the platform. */
export const BY_ADMINS = { ...BY_OPERATORS, platformAccounts: true } as const;
/** For every operator, and service accounts of the platform. */
export const BY_SUPPORT = { ...BY_ADMINS, operators: 'support' } as const;

/** Circumstances in which a policy loads entities. */
export interface LoadContext {
  readonly principal: Principal;
  /** In the command's transaction: lock the rows, so that the decision holds until the commit. */
  readonly lock: boolean;
  /** The entities are above the subject of the command, which does not change them. */
  readonly isAbove?: boolean;
  /** Scopes that are checked: a policy need not load what only the rules of other scopes read. */
  readonly scopes: ReadonlySet<string>;
}

/** Interface of a policy class, besides its rules. */
export interface EntityPolicy<E> {
  /**
   * Loads entities of the caller's tenant, all in one statement.
   * @returns the entities by id, without those that do not exist in the tenant
   */
  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, E>>;
  /**
   * Loads entities as {@link load} does, with the entities of this collection above them, at any
   * depth: all in one statement, where their parents are of this collection. Only saves statements:
   * an entity that is left out is loaded. Default: each level by `load`.
   */
  loadAbove?(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, E>>;
  /**
   * Lists ids of the caller's tenant in their order, for searches: of everything, or of what
   * `accessible` names and of what is below that, at any depth. Default: the collection is not
   * searched.
   * @param after id of the last entity of the page before; null for the first page
   */
  list?(
    page: { readonly limit: number; readonly after: string | null },
    accessible: Accessible,
    context: LoadContext,
  ): Promise<readonly string[]>;
  /** Returns whether a text can be an id of this collection. Default: whether it is a ULID. */
  isId?(text: string): boolean;
  /** @returns the id of the entity to judge when the caller names none; null for none */
  defaultSubject?(principal: Principal): string | null;
  /**
   * Takes the locks that come first in the lock order, inside the command's transaction.
   * @param ids of the subjects that the request names: nothing has been checked yet
   */
  lock?(principal: Principal, ids: readonly string[]): Promise<void>;
}

/** Base of policies about no entity, such as the figures of the platform. */
export abstract class PolicyWithoutEntity implements EntityPolicy<never> {
  load(): Promise<ReadonlyMap<string, never>> {
    return Promise.resolve(new Map<string, never>());
  }
}

/** Metadata of {@link AbilityPolicy}. */
export const PolicyMark = Reflector.createDecorator<PolicyOptions>();

/** A scope as {@link Scope} declares it. */
export type ScopeDeclaration = ScopeRuleOptions & { readonly action: string };

/** Metadata of {@link Scope} on a method. */
export const ScopeMark = Reflector.createDecorator<ScopeDeclaration>();

/** Metadata of {@link Scope} on a class, in the order of the source. */
export const ScopesMark = Reflector.createDecorator<readonly ScopeDeclaration[]>();

/** Marks a policy class. The registry finds it at start and declares its rules as scopes. */
export function AbilityPolicy(options: PolicyOptions): ClassDecorator {
  return applyDecorators(Injectable(), PolicyMark(options));
}

/**
 * Decides by the state of the entity whether the scope applies. A pure function.
 * @returns true, the reason for the refusal by `forbid`, or what the sign-in has to prove
 */
export type Rule<E> = (entity: E, principal: Principal) => true | Refusal | SignInNeed;

type ScopeDecorator = ClassDecorator &
  (<R extends Rule<never>>(target: object, key: string, descriptor: TypedPropertyDescriptor<R>) => void);

/**
 * Declares the scope `<module>:<entity>:<action>`: on the method that is its {@link Rule}, or on
 * the policy class if it has no rule: it applies to each entity.
 */
export function Scope(action: string, options: ScopeRuleOptions = {}): ScopeDecorator {
  const declaration = { action, ...options };
  return ((target: never, ...method: [string, PropertyDescriptor] | []) => {
    if (method.length > 0) return ScopeMark(declaration)(target, ...(method as [string, never]));
    const below = new Reflector().get(ScopesMark, target) as readonly ScopeDeclaration[] | undefined;
    ScopesMark([declaration, ...(below ?? [])])(target);
  }) as ScopeDecorator;
}

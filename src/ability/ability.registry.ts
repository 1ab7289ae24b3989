import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ACRS, type AuthenticationNeed, type OperatorRole } from '../kernel/index.js';
import { MarkedMethods } from '../platform/discovery/index.js';
import { DEFAULT_LOCALE, type Message, type MessageId, textsOf } from '../platform/messages/index.js';
import {
  PolicyMark,
  ScopeMark,
  type EntityPolicy,
  type PolicyOptions,
  type Rule,
  type ScopeAudience,
  type ScopeRuleOptions,
} from './ability-policy.decorator.js';

/** Spelling of a scope: `<module>:<entity>:<action>`. */
export const SCOPE_SHAPE = /^[a-z][a-z0-9-]{0,63}:[a-z][a-z0-9-]{0,63}:[a-z][a-z0-9-]{0,63}$/;

/** Collection of entities, with the policy that loads them. */
export interface Collection {
  readonly module: string;
  readonly name: string;
  /** Module and name, by which entities are loaded at once. */
  readonly key: string;
  readonly policy: EntityPolicy<unknown>;
  /** URIs of the things of which an entity is a part. */
  readonly parents: (entity: unknown) => readonly string[];
}

/** Declared scope and the rule that decides whether it applies to an entity. */
export interface DeclaredScope {
  readonly scope: string;
  readonly audience: ScopeAudience;
  /** Texts about the scope, for people who compose a role; of a registered one as it was sent. */
  readonly texts: {
    readonly title: Message | string;
    readonly description: Message | string | null;
    readonly group: Message | string;
  };
  /** Keys of the built-in roles that hold it, besides the owner. */
  readonly roles: readonly string[];
  /** The least role of operators that holds it, if it is for operators. */
  readonly operators: OperatorRole;
  /** Whether service accounts of the platform can hold it, if it is for operators. */
  readonly platformAccounts: boolean;
  /** Whether only the first-party app may use it. */
  readonly firstParty: boolean;
  /** Whether tokens and keys of programs do not name it. */
  readonly peopleOnly: boolean;
  /** Whether it applies in an archived tenant as well. */
  readonly allowedWhenArchived: boolean;
  /** Whether it applies whatever the tenant asks of sign-ins. */
  readonly anySignIn: boolean;
  /** For what belongs to no tenant: of whom it asks for their own proof (ADR 49). */
  readonly ownProof: 'always' | 'if-available';
  /** Whether it applies to an operator who acts as a person. */
  readonly impersonation: boolean;
  /** How recent and strong the caller's sign-in has to be; null for any. */
  readonly need: AuthenticationNeed | null;
  /** Collection of the scope's own entity. */
  readonly own: Collection;
  /** Collection of the entity that the rule judges: `own`, or the one in which it is created. */
  readonly judged: Collection;
  readonly rule: Rule<unknown>;
}

/** Permissions of another service, which were registered at run time. */
export interface RegisteredModule {
  readonly module: string;
  /** Heading under which people read the permissions. */
  readonly title: string;
  readonly permissions: readonly RegisteredPermission[];
}

/** A permission of another service. That service judges the state of its entities itself. */
export interface RegisteredPermission {
  readonly scope: string;
  readonly title: string;
  readonly description: string | null;
  /** Built-in roles that hold it, besides the owner. */
  readonly roles: readonly string[];
  readonly allowedWhenArchived: boolean;
}

/** Of a collection whose entities are parts of nothing. */
export const NO_PARENTS = (): readonly string[] => [];

interface DiscoveredPolicy {
  readonly options: PolicyOptions;
  readonly policy: EntityPolicy<unknown>;
  readonly rules: { readonly options: ScopeRuleOptions & { action: string }; readonly rule: Rule<unknown> }[];
}

/**
 * Registry of the scopes: those of the application, which it finds by their decorators at start,
 * and those that other services have registered.
 */
@Injectable()
export class AbilityRegistry implements OnApplicationBootstrap {
  private declared: ReadonlyMap<string, DeclaredScope> | undefined;
  private scopes: ReadonlyMap<string, DeclaredScope> | undefined;
  private readonly listeners: (() => void)[] = [];
  private readonly collections = new Map<string, Collection>();

  constructor(
    private readonly marked: MarkedMethods,
    private readonly reflector: Reflector,
  ) {}

  /**
   * Stops the start if a declaration is wrong.
   * @throws {Error} if a scope is misspelled, declared twice, judged on a collection without a
   *   policy, has no declared title or an invalid maximum age or strength, or a collection has two
   *   policies
   */
  onApplicationBootstrap(): void {
    this.scopes ??= this.findDeclared();
  }

  /** @returns undefined for a scope that is neither declared nor registered */
  find(scope: string): DeclaredScope | undefined {
    return this.all.get(scope);
  }

  /** @returns undefined for a collection without a policy */
  findCollection(module: string, name: string): Collection | undefined {
    this.findDeclared();
    return this.collections.get(`${module}/${name}`);
  }

  /** Returns the collection of a thing as `thingOf` spells it; undefined for another service's. */
  findCollectionOf(thing: string): Collection | undefined {
    this.findDeclared();
    return this.collections.get(thing.slice(0, thing.lastIndexOf('/')));
  }

  /** Returns the collections (`<module>/<collection>`) whose entities are parts of others. */
  listNestedCollections(): string[] {
    return [...this.collections].flatMap(([key, { parents }]) => (parents === NO_PARENTS ? [] : [key]));
  }

  /** Declared and registered scopes by name. Another map after each registration. */
  get all(): ReadonlyMap<string, DeclaredScope> {
    return (this.scopes ??= this.findDeclared());
  }

  /** Returns whether a module of the application declares scopes under this name. */
  declaresModule(module: string): boolean {
    return [...this.findDeclared().keys()].some((scope) => scope.startsWith(`${module}:`));
  }

  /** Replaces all registered scopes. A declared scope of the same name stays as it is. */
  replaceRegistered(modules: readonly RegisteredModule[]): void {
    const registered = modules.flatMap((one) =>
      one.permissions.map((permission) => toScope(one, permission)),
    );
    this.scopes = new Map([
      ...registered.map((scope) => [scope.scope, scope] as const),
      ...this.findDeclared(),
    ]);
    for (const listener of this.listeners) listener();
  }

  /** Calls a listener after each change of the registered scopes. */
  onReplaced(listener: () => void): void {
    this.listeners.push(listener);
  }

  private findDeclared(): ReadonlyMap<string, DeclaredScope> {
    return (this.declared ??= this.declare());
  }

  private declare(): ReadonlyMap<string, DeclaredScope> {
    const found = this.discover();
    const { collections } = this;
    for (const { options, policy } of found) {
      const { module, collection: name, parents } = options;
      const key = `${module}/${name}`;
      if (collections.has(key)) throw new Error(`The collection ${key} has two policies.`);
      collections.set(key, {
        module,
        name,
        key,
        policy,
        parents: (parents as Collection['parents']) ?? NO_PARENTS,
      });
    }
    const scopes = new Map<string, DeclaredScope>();
    for (const { options: policy, rules } of found) {
      for (const { options, rule } of rules) {
        const scope = `${policy.module}:${policy.entity}:${options.action}`;
        const own = collections.get(`${policy.module}/${policy.collection}`);
        const on = `${policy.module}/${options.on ?? policy.collection}`;
        const judged = collections.get(on);
        if (!own || !judged)
          throw new Error(`The scope ${scope} is judged on the collection ${on}, which no policy declares.`);
        if (!SCOPE_SHAPE.test(scope))
          throw new Error(`The scope ${scope} is not spelled <module>:<entity>:<action>.`);
        if (scopes.has(scope)) throw new Error(`The scope ${scope} is declared twice.`);
        const {
          audience = 'tenant',
          roles = ['admin'],
          operators = 'admin',
          allowedWhenArchived = audience !== 'tenant',
          anySignIn = audience !== 'tenant',
        } = options;
        const texts = textsOfScope(scope, policy, options);
        const need = needOf(scope, options);
        const firstParty = audience === 'operator' || options.firstParty === true;
        const isPlain = audience === 'tenant' && need === null && !firstParty;
        scopes.set(scope, {
          scope,
          audience,
          texts,
          roles,
          operators,
          platformAccounts: options.platformAccounts === true,
          firstParty,
          peopleOnly: options.peopleOnly === true,
          allowedWhenArchived,
          anySignIn,
          ownProof: options.ownProof ?? 'always',
          impersonation: isPlain && options.impersonation !== false,
          need,
          own,
          judged,
          rule,
        });
      }
    }
    return scopes;
  }

  private discover(): DiscoveredPolicy[] {
    const marked = this.marked.find<DiscoveredPolicy['rules'][0]['options'], Rule<unknown>>(ScopeMark);
    const policies = Map.groupBy(marked, ({ provider }) => provider);
    return [...policies].map(([policy, found]) => {
      const options = this.reflector.get(PolicyMark, policy.constructor) as PolicyOptions | undefined;
      if (!options) throw new Error(`${policy.constructor.name} has @Scope rules but is no @AbilityPolicy.`);
      const rules = found.map(({ mark, method }) => ({ options: mark, rule: method }));
      return { options, policy: policy as EntityPolicy<unknown>, rules };
    });
  }
}

/**
 * Creates the scope of a registered permission. Its collection has no name, as the scope is about
 * things of any collection of its module. Only the other service knows their state, and whether
 * they exist.
 */
function toScope(
  { module, title: group }: RegisteredModule,
  { scope, title, description, roles, allowedWhenArchived }: RegisteredPermission,
): DeclaredScope {
  const collection: Collection = {
    module,
    name: '',
    key: module,
    policy: { load: async (ids) => new Map(ids.map((id) => [id, { id }])) },
    parents: NO_PARENTS,
  };
  return {
    scope,
    audience: 'tenant',
    texts: { title, description, group },
    roles,
    operators: 'admin',
    platformAccounts: false,
    firstParty: false,
    peopleOnly: false,
    allowedWhenArchived,
    anySignIn: false,
    ownProof: 'always',
    impersonation: true,
    need: null,
    own: collection,
    judged: collection,
    rule: () => true,
  };
}

/** @throws {Error} if the maximum age or the strength is not valid */
function needOf(scope: string, { maxAge, acr }: AuthenticationNeed): AuthenticationNeed | null {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge > 0))
    throw new Error(`The scope ${scope} has a maxAge that is not a number of seconds.`);
  if (acr !== undefined && ![...ACRS, 'aal2-if-enrolled'].includes(acr))
    throw new Error(`The scope ${scope} has an acr that is not one of ${ACRS.join(', ')}.`);
  if (maxAge === undefined && acr === undefined) return null;
  return { ...(maxAge !== undefined && { maxAge }), ...(acr !== undefined && { acr }) };
}

/** @throws {Error} if a text is not declared */
function textsOfScope(
  scope: string,
  policy: PolicyOptions,
  { title, description }: ScopeRuleOptions,
): DeclaredScope['texts'] {
  for (const id of [title, description, policy.title])
    if (id !== undefined && !textsOf(DEFAULT_LOCALE).has(id))
      throw new Error(`The scope ${scope} has the text ${id}, which declareMessages does not declare.`);
  const toMessage = (id: MessageId): Message => ({ id });
  return {
    title: toMessage(title),
    description: description ? toMessage(description) : null,
    group: toMessage(policy.title),
  };
}

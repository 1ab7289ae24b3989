import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { isUlid, type Principal } from '../kernel/index.js';
import { MarkedClasses, MarkedMethods } from '../platform/discovery/index.js';
import {
  PolicyMark,
  ScopeMark,
  ScopesMark,
  type EntityPolicy,
  type PolicyOptions,
  type Rule,
  type ScopeDeclaration,
} from './ability-policy.decorator.js';
import {
  type Collection,
  type DeclaredScope,
  declareScopes,
  type DiscoveredPolicy,
} from './scope-declarations.js';
import { type Denial, deny } from './decision.js';
import type { AbilityCheck, Subject } from './subject.js';

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

/**
 * Registry of the scopes: those of the application, which it finds by their decorators at start,
 * and those that other services have registered.
 */
@Injectable()
export class AbilityRegistry implements OnApplicationBootstrap {
  private declared: ReadonlyMap<string, DeclaredScope> | undefined;
  /** Keys of the collections on whose entities roles of tenants hold scopes. */
  private ofTenants: ReadonlySet<string> | null = null;
  private scopes: ReadonlyMap<string, DeclaredScope> | undefined;
  private readonly listeners: (() => void)[] = [];
  private readonly collections = new Map<string, Collection>();

  constructor(
    private readonly methods: MarkedMethods,
    private readonly classes: MarkedClasses,
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

  /**
   * Returns whether roles of tenants hold scopes on the entities of a collection. Other policies
   * also load what is of no tenant.
   */
  isOfTenants({ key }: Collection): boolean {
    this.ofTenants ??= new Set(
      [...this.findDeclared().values()].flatMap(({ audience, own, judged }) =>
        audience === 'tenant' ? [own.key, judged.key] : [],
      ),
    );
    return this.ofTenants.has(key);
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
    return declareScopes(found, collections);
  }

  private discover(): DiscoveredPolicy[] {
    const policies = this.classes.find<PolicyOptions, EntityPolicy<unknown>>(PolicyMark);
    const ofClasses = this.classes.find<readonly ScopeDeclaration[], object>(ScopesMark);
    const ofMethods = this.methods.find<ScopeDeclaration, Rule<unknown>>(ScopeMark);
    for (const { provider } of [...ofClasses, ...ofMethods])
      if (!policies.some(({ provider: policy }) => policy === provider))
        throw new Error(`${provider.constructor.name} has @Scope rules but is no @AbilityPolicy.`);
    return policies.map(({ mark: options, provider: policy }) => ({
      options,
      policy,
      rules: [
        ...ofClasses
          .filter(({ provider }) => provider === policy)
          .flatMap(({ mark }) => mark.map((scope) => ({ options: scope, rule: () => true as const }))),
        ...ofMethods
          .filter(({ provider }) => provider === policy)
          .map(({ mark, method }) => ({ options: mark, rule: method })),
      ],
    }));
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

/**
 * Finds the collection of a subject that a scope can be about: its entity's or the judged one.
 * A permission of another service is about the things of its module, which that service knows.
 */
export function findCollection({ own, judged }: DeclaredScope, subject: Subject): Collection | undefined {
  if (own.name === '' && own.module === subject.module)
    return { ...own, name: subject.collection, key: `${subject.module}/${subject.collection}` };
  return [judged, own].find(({ module, name }) => module === subject.module && name === subject.collection);
}

/** Entity that a check has to find besides holding the scope. */
export interface Need {
  readonly collection: Collection;
  readonly id: string;
}

/**
 * Finds the entities that a check needs. Denies by `subject_mismatch`, and by `subject_not_found`
 * for what the path names in another tenant.
 */
export function findNeeds(
  { subject, tenantId }: Omit<AbilityCheck, 'scope'>,
  scope: DeclaredScope,
  principal: Principal,
): { readonly scope: DeclaredScope; readonly needs: readonly Need[] } | Denial {
  const { judged } = scope;
  const collection = subject && findCollection(scope, subject);
  if (subject && !collection) return deny('subject_mismatch');
  if (tenantId !== undefined && tenantId !== principal.tenantId) return deny('subject_not_found');
  const named = subject && collection ? [{ collection, id: subject.id }] : [];
  if (collection === judged || judged.name === '') return { scope, needs: named };
  const defaultId = judged.policy.defaultSubject?.(principal) ?? null;
  return { scope, needs: defaultId === null ? named : [...named, { collection: judged, id: defaultId }] };
}

/** Takes the locks that come before the entities in the lock order. */
export async function lockThings(
  principal: Principal,
  checks: readonly AbilityCheck[],
  scopes: readonly (DeclaredScope | undefined)[],
): Promise<void> {
  const ids = checks.flatMap(({ subject }) => subject?.id ?? []);
  const policies = new Set(scopes.flatMap((scope) => [scope?.judged.policy, scope?.own.policy]));
  for (const policy of policies) await policy?.lock?.(principal, ids);
}

/**
 * Returns whether an id has the shape of its collection's. No entity has another, and the database
 * refuses some texts that a path can hold.
 */
export function canExist({ collection, id }: Need): boolean {
  return collection.policy.isId ? collection.policy.isId(id) : isUlid(id);
}

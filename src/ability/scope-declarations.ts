import { ACRS, type AuthenticationNeed, type OperatorRole } from '../kernel/index.js';
import { DEFAULT_LOCALE, type Message, type MessageId, textsOf } from '../platform/messages/index.js';
import type {
  EntityPolicy,
  PolicyOptions,
  Rule,
  ScopeAudience,
  ScopeDeclaration,
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

/** A policy as its decorators declare it. */
export interface DiscoveredPolicy {
  readonly options: PolicyOptions;
  readonly policy: EntityPolicy<unknown>;
  readonly rules: readonly { readonly options: ScopeDeclaration; readonly rule: Rule<unknown> }[];
}

/**
 * Returns the scopes that policies declare, by name.
 * @throws {Error} if a declaration is wrong
 */
export function declareScopes(
  found: readonly DiscoveredPolicy[],
  collections: ReadonlyMap<string, Collection>,
): ReadonlyMap<string, DeclaredScope> {
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
  options: ScopeDeclaration,
): DeclaredScope['texts'] {
  const declared = textsOf(DEFAULT_LOCALE);
  const group: string = policy.title ?? `scope.${policy.entity}`;
  const title: string = options.title ?? `${group}.${options.action}`;
  const description: string = options.description ?? `${title}.description`;
  for (const id of [group, title, options.description])
    if (id !== undefined && !declared.has(id))
      throw new Error(`The scope ${scope} has the text ${id}, which declareMessages does not declare.`);
  const toMessage = (id: string): Message => ({ id: id as MessageId });
  return {
    title: toMessage(title),
    description: declared.has(description) ? toMessage(description) : null,
    group: toMessage(group),
  };
}

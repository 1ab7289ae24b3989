import { isUlid } from '../kernel/index.js';

/** Entity that a scope is checked against. */
export interface Subject {
  readonly module: string;
  readonly collection: string;
  readonly id: string;
}

/** URI of an entity: `<scheme>:///<module>/<collection>/<ulid>`. */
export const SUBJECT_SHAPE =
  /^[a-z][a-z0-9+.-]*:\/\/\/([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)\/([0-9A-Za-z]{26})$/;

/**
 * Parses the URI of an entity. The id keeps its spelling: a command finds nothing by an id in lower
 * case, so the permission check must not either.
 * @param uri `<scheme>:///<module>/<collection>/<ulid>`
 * @returns null for a text of another shape
 */
export function parseSubject(uri: string): Subject | null {
  const found = SUBJECT_SHAPE.exec(uri);
  if (!found) return null;
  const [, module = '', collection = '', id = ''] = found;
  return isUlid(id.toUpperCase()) ? { module, collection, id } : null;
}

/** Spells a thing without the scheme, which says nothing: `logistics/shipments/01K…`. */
export const thingOf = ({ module, collection, id }: Subject): string => `${module}/${collection}/${id}`;

/** Reads a thing as {@link thingOf} spells it. */
export function parseThing(thing: string): Subject {
  const [module = '', collection = '', id = ''] = thing.split('/');
  return { module, collection, id };
}

/** Permission to check: a scope and, where the caller names one, its subject. */
export interface AbilityCheck {
  readonly scope: string;
  readonly subject?: Subject;
  /** Tenant of the request's path. Any but the selected one is treated as unknown (API-10). */
  readonly tenantId?: string;
  /** Without a subject: whether a role on any thing of the tenant is enough, as for lists. */
  readonly anywhere?: boolean;
  /** Further things, as `thingOf` spells them, of which a subject of another service is a part. */
  readonly parents?: readonly string[];
}

import { isUlid } from '../kernel/index.js';

/** One entity, as a scope may be asked about it. */
export interface Subject {
  readonly module: string;
  readonly collection: string;
  readonly id: string;
}

/** How an entity is named: `<scheme>:///<module>/<collection>/<ulid>`. */
export const SUBJECT_SHAPE =
  /^[a-z][a-z0-9+.-]*:\/\/\/([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)\/([0-9A-Za-z]{26})$/;

/**
 * Reads `<scheme>:///<module>/<collection>/<ulid>`; null where the text has another shape. The id stays as it is spelled: a command finds
 * nothing by an id in lower case, so neither does the probe.
 */
export function parseSubject(uri: string): Subject | null {
  const [, module, collection, id] = SUBJECT_SHAPE.exec(uri) ?? [];
  if (module === undefined || collection === undefined || id === undefined) return null;
  return isUlid(id.toUpperCase()) ? { module, collection, id } : null;
}

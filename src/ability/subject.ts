import { isUlid } from '../platform/http/index.js';

/** One entity, as a scope may be asked about it. */
export interface Subject {
  readonly module: string;
  readonly collection: string;
  readonly id: string;
}

const URI = /^[a-z][a-z0-9+.-]*:\/\/\/([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)\/([0-9A-Za-z]{26})$/;

/** Reads `<scheme>:///<module>/<collection>/<ulid>`; null where the text has another shape. */
export function parseSubject(uri: string): Subject | null {
  const [, module, collection, text] = URI.exec(uri) ?? [];
  const id = text?.toUpperCase();
  return module !== undefined && collection !== undefined && isUlid(id) ? { module, collection, id } : null;
}

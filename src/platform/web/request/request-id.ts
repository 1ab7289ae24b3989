import type { IncomingMessage } from 'node:http';
import { newId } from '../../../kernel/index.js';

const REQUEST_ID = Symbol('requestId');

interface Identified {
  [REQUEST_ID]?: string;
}

/**
 * Returns the id of a request (ULID), created on first use: the same in `X-Request-Id`, in
 * `instance` and in the log.
 */
export function requestIdOf(request: IncomingMessage): string {
  const identified = request as IncomingMessage & Identified;
  return (identified[REQUEST_ID] ??= newId());
}

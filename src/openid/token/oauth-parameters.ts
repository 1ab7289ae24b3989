import type { Request } from 'express';
import { parametersOf } from '../../platform/web/index.js';

/**
 * Returns the parameters of a request of OAuth. One without a value counts as omitted, and none
 * counts if any is repeated (RFC 6749 section 3.1).
 */
export function oauthParametersOf(request: Request): Readonly<Record<string, string>> {
  const parameters = parametersOf(request);
  if (!Object.values(parameters).includes('')) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

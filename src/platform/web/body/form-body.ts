import type { Type } from '@nestjs/common';
import type { Request } from 'express';

export const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
export const EVENT_TYPE = /^application\/secevent\+jwt\s*$/i;
/** Parameters that identify the flow: OAuth 2.0's, SAML's, and this service's own. */
const FLOW_PARAMETERS = new Set(['state', 'RelayState', 'form']);

/** Knows the maximum size of a form by the parameters of its path. */
export interface FormLimits {
  maxFormBytesOf(parameters: Request['params']): number;
}

/** A text that a route takes besides JSON. */
export interface TextBodyRules {
  readonly type: RegExp;
  readonly maxBytes: number | Type<FormLimits>;
}

/**
 * Returns the parameters of a request that a page of another site caused: of the form for a POST,
 * else of the query. If any is repeated, which RFC 6749 section 3.1 forbids, keeps only those of
 * {@link FLOW_PARAMETERS} that are not.
 */
export function parametersOf(request: Request): Readonly<Record<string, string>> {
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of new URLSearchParams(encodedParametersOf(request))) {
    if (parameters.has(name)) repeated.add(name);
    parameters.set(name, value);
  }
  if (repeated.size === 0) return Object.fromEntries(parameters);
  const kept = [...parameters].filter(([name]) => FLOW_PARAMETERS.has(name) && !repeated.has(name));
  return Object.fromEntries(kept);
}

function encodedParametersOf({ method, body, originalUrl }: Request): string {
  if (method !== 'POST') return new URL(originalUrl, 'http://localhost').search;
  return typeof body === 'string' ? body : '';
}

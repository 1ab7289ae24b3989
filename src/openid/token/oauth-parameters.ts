import type { CustomDecorator } from '@nestjs/common';
import type { Request } from 'express';
import { FormBody } from '../../platform/api/index.js';
import { parametersOf } from '../../platform/web/index.js';

/** An assertion or a hint is the largest of the parameters. */
const MAX_FORM_BYTES = 16_384;

/** Takes a form of OAuth, of which {@link oauthParametersOf} returns the parameters. */
export function OAuthForm(): CustomDecorator {
  return FormBody(MAX_FORM_BYTES);
}

/**
 * Returns the parameters of a request of OAuth. One without a value counts as omitted, and none
 * counts if any is repeated (RFC 6749 section 3.1).
 */
export function oauthParametersOf(request: Request): Readonly<Record<string, string>> {
  const parameters = parametersOf(request);
  if (!Object.values(parameters).includes('')) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

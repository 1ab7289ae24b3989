import type { Request } from 'express';
import { AppError } from '../../platform/errors/index.js';
import { parametersOf } from '../../platform/web/index.js';

/** How a message came: the address of a redirect, or the fields of a form. */
export type Delivery = { readonly search: string } | { readonly form: Readonly<Record<string, string>> };

/** Reads how a browser brought a message. @throws {AppError} method-not-allowed */
export function deliveryOf(request: Request): Delivery {
  if (request.method === 'POST') return { form: parametersOf(request) };
  refuseHead(request);
  return { search: new URL(request.originalUrl, 'http://localhost').search };
}

/** A link scanner must not use up a request. @throws {AppError} method-not-allowed */
export function refuseHead({ method }: Request): void {
  if (method === 'HEAD')
    throw new AppError('method-not-allowed', { headers: { Allow: 'GET, POST, OPTIONS' } });
}

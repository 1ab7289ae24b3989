import type { Request } from 'express';
import { AppError, toAppError } from '../../platform/errors/index.js';
import { parseJson, readBody } from '../../platform/web/index.js';
import { ScimError } from './scim-error.js';
import { MAX_BODY_BYTES } from './discovery.js';

const TYPE = /^application\/(?:scim\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a body of at most 1 MiB.
 * @returns undefined without one
 * @throws {ScimError} 400 invalidSyntax, 413, 415
 */
export async function scimBodyOf(request: Request): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
  const body = await readBody(request, MAX_BODY_BYTES).catch((error: unknown) => {
    const { code } = toAppError(error);
    if (code === 'payload-too-large') throw new ScimError(413, null, 'The body is larger than 1 MiB.');
    throw error;
  });
  if (body.length === 0) return undefined;
  if (!TYPE.test(type ?? '') || encoding.toLowerCase() !== 'identity')
    throw new ScimError(415, null, 'The body must be application/scim+json or application/json, in UTF-8.');
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.violations?.[0]?.message;
    throw new ScimError(400, 'invalidSyntax', typeof message === 'string' ? message : error.detail);
  }
}

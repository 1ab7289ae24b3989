import type { RequestInit } from 'undici';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { SignInError } from './provider.js';

/**
 * What an endpoint of a provider answers.
 * @throws {SignInError} provider_unavailable where it does not, is in trouble or sends us
 * elsewhere; invalid_response for a refusal or too long an answer
 */
async function textOf(http: OutboundHttp, url: URL, init: RequestInit = {}): Promise<string> {
  try {
    const response = await http.fetch(url, init);
    const text = await response.text();
    if (response.ok) return text;
    throw new SignInError(response.status >= 500 ? 'provider_unavailable' : 'invalid_response', {
      status: response.status,
    });
  } catch (error) {
    if (error instanceof SignInError) throw error;
    throw new SignInError(isTooLong(error) ? 'invalid_response' : 'provider_unavailable', error);
  }
}

/**
 * The JSON object that an endpoint answers.
 * @throws {SignInError} as textOf, and invalid_response for anything that is no object
 */
export async function jsonOf(
  http: OutboundHttp,
  url: URL,
  init: RequestInit = {},
): Promise<Readonly<Record<string, unknown>>> {
  const json = parse(
    await textOf(http, url, { ...init, headers: { accept: 'application/json', ...init.headers } }),
  );
  if (!isObject(json)) throw new SignInError('invalid_response');
  return json;
}

/**
 * What can stand in a header, as an access token has to: visible ASCII.
 * @throws {SignInError} invalid_response for anything else
 */
export function requireToken(value: unknown): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw new SignInError('invalid_response');
  return value;
}

/**
 * A subject as OpenID Connect Core section 2 bounds it: 255 characters of ASCII. A database would
 * stumble over others.
 * @throws {SignInError} invalid_response for anything else
 */
export function requireSubject(value: unknown): string {
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value))
    throw new SignInError('invalid_response');
  return value;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTooLong(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignInError('invalid_response', new Error('The answer is no JSON.')); // the parser's words quote it
  }
}

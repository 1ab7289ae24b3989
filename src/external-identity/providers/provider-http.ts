import type { RequestInit } from 'undici';
import { isObject } from '../../kernel/index.js';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { SignInError } from './provider.js';

/** Length of a name that a provider gives to a token or a session. */
const MAX_NAME = 512;

/**
 * Requests an endpoint of a provider and returns the text of its response.
 * @throws {SignInError} provider_unavailable if it does not respond, fails (5xx) or redirects;
 * invalid_response if it refuses (4xx) or the response is too long
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
 * Requests an endpoint of a provider and returns the JSON object of its response.
 * @throws {SignInError} as textOf, and invalid_response for anything but an object
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
 * Revokes a token at an endpoint (RFC 7009), whose response may be empty. A refusal (4xx) counts as
 * done: the provider no longer knows the token. A rate limit (429) does not.
 * @throws {SignInError} provider_unavailable; invalid_response for a rate limit
 */
export async function revokeAt(
  http: OutboundHttp,
  url: URL,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await textOf(http, url, { method: 'POST', body: new URLSearchParams(parameters) });
  } catch (error) {
    if (!(error instanceof SignInError) || error.reason !== 'invalid_response') throw error;
    if (isObject(error.cause) && error.cause['status'] === 429) throw error;
  }
}

/**
 * Requires an access token that fits into a header: visible ASCII.
 * @throws {SignInError} invalid_response for anything else
 */
export function requireToken(value: unknown): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw new SignInError('invalid_response');
  return value;
}

/**
 * Requires a subject by OpenID Connect Core section 2: at most 255 characters of ASCII. PostgreSQL
 * would reject a NUL.
 * @throws {SignInError} invalid_response for anything else
 */
export function requireSubject(value: unknown): string {
  if (typeof value !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(value))
    throw new SignInError('invalid_response');
  return value;
}

/**
 * Requires a name that a provider gives to a token or a session: a text of a usual length.
 * @throws {SignInError} invalid_response for anything else
 */
export function requireName(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME)
    throw new SignInError('invalid_response', new Error('A name is empty, too long, or no text.'));
  return value;
}

function isTooLong(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignInError('invalid_response', new Error('The response is not JSON.')); // the parser's error quotes it
  }
}

/** Event that a webhook delivers. `data` has ids and changed fields, by the schema of `type`. */
export interface WebhookEvent<Data = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  /** Counts the events of the organization; a later event has a greater number. */
  readonly sequence: number;
  /** Null for an event of the platform. */
  readonly tenantId: string | null;
  readonly subject: string | null;
  readonly actor: string | null;
  readonly data: Data;
}

/** A request as it was received. */
export interface WebhookRequest {
  /** Headers of a `Request`, or those of Node.js. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body, byte by byte as received: not parsed and written again. */
  readonly body: string | Uint8Array;
}

/** What signatures are checked with. One of several has to fit, as during a rotation. */
export interface WebhookKeys {
  /** Secrets of the subscription, `whsec_…`. */
  readonly secret?: string | readonly string[];
  /** Public keys, for a subscription that signs with Ed25519: `OKP` keys of a JSON Web Key Set. */
  readonly publicKeys?: readonly JsonWebKey[];
}

/** The request does not come from Gatehouse, was changed, or is too old. Answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** Age and lead of the timestamp that are accepted, in seconds (Standard Webhooks 1.0). */
const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';

/**
 * Verifies a webhook by Standard Webhooks 1.0: the signature, and that it is not older than five
 * minutes. Attempts of one delivery have the same event id: a receiver can drop repetitions.
 * @returns the event of the body
 * @throws {WebhookVerificationError} and does not say which key was tried
 */
export async function verifyWebhook<Event extends WebhookEvent = WebhookEvent>(
  { headers, body }: WebhookRequest,
  { secret = [], publicKeys = [] }: WebhookKeys,
): Promise<Event> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookVerificationError('A header of Standard Webhooks is missing.');
  requireRecent(timestamp);
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = encode(`${id}.${timestamp}.${text}`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const [version, signature] of signaturesOf(signatures)) {
    if (version === 'v1' && (await fitsSecret(signature, signed, secrets))) return parse<Event>(text);
    if (version === 'v1a' && (await fitsKey(signature, signed, publicKeys))) return parse<Event>(text);
  }
  throw new WebhookVerificationError('No signature fits.');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

function requireRecent(timestamp: string): void {
  const age = /^\d{1,12}$/.test(timestamp) ? Date.now() / 1_000 - Number(timestamp) : Infinity;
  if (Math.abs(age) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError('The timestamp is more than five minutes away from this clock.');
}

/** Splits the header: pairs of version and signature, separated by spaces. */
function signaturesOf(header: string): (readonly [version: string, signature: Uint8Array<ArrayBuffer>])[] {
  return header.split(' ').flatMap((part) => {
    const [version = '', base64 = ''] = part.split(',');
    const signature = decode(base64);
    return signature ? [[version, signature] as const] : [];
  });
}

async function fitsSecret(
  signature: BufferSource,
  signed: BufferSource,
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const bytes = decode(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
    if (!bytes?.length) throw new TypeError('A secret of a subscription is "whsec_" and base64.');
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify']);
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  }
  return false;
}

async function fitsKey(
  signature: BufferSource,
  signed: BufferSource,
  publicKeys: readonly JsonWebKey[],
): Promise<boolean> {
  for (const { kty = '', crv = '', x = '' } of publicKeys) {
    if (kty !== 'OKP' || crv !== 'Ed25519') continue;
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
    if (await crypto.subtle.verify('Ed25519', key, signature, signed)) return true;
  }
  return false;
}

function parse<Event>(text: string): Event {
  try {
    return JSON.parse(text) as Event;
  } catch {
    throw new WebhookVerificationError('The body is no JSON.');
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** @returns null for what is not base64 */
function decode(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

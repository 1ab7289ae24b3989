import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../../kernel/index.js';
import { requireSubject } from '../provider-http.js';
import { MAX_NOTICE_AGE_SECONDS, NOTICE_CLOCK_SECONDS } from '../provider-notice.js';
import { SignInError } from '../provider.js';

/** A signed request of Facebook, verified. */
export interface SignedRequest {
  readonly subject: string;
  readonly issuedAt: Date;
  /** The signed part as it was received. */
  readonly payload: string;
}

/**
 * Verifies a signed request: base64url of HMAC-SHA-256 by the app's secret over the second part as
 * it was sent, and that part, which is JSON in base64url (Facebook, "Parsing the Signed Request").
 * @throws {SignInError} invalid_response
 */
export function readSignedRequest(text: string, secret: string): SignedRequest {
  const [signature = '', payload = '', ...rest] = text.split('.');
  const given = Buffer.from(signature, 'base64url');
  const expected = createHmac('sha256', secret).update(payload).digest();
  // Before anything of the payload is read.
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refused('The signature is not of the app.');
  const said = jsonOf(payload);
  const { algorithm, user_id: subject, issued_at: issuedAt } = said;
  if (algorithm !== 'HMAC-SHA256') throw refused('The algorithm is another one.');
  // The signed requests of a sign-in, which pages and browsers get, have one of these.
  if ('code' in said || 'oauth_token' in said) throw refused('It is of a sign-in.');
  const age = Date.now() / 1_000 - (typeof issuedAt === 'number' ? issuedAt : Number.NaN);
  if (!(age <= MAX_NOTICE_AGE_SECONDS && age >= -NOTICE_CLOCK_SECONDS))
    throw refused('It is too old, or of the future.');
  return { subject: requireSubject(subject), issuedAt: new Date(Number(issuedAt) * 1_000), payload };
}

function jsonOf(payload: string): Readonly<Record<string, unknown>> {
  try {
    const said: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (isObject(said)) return said;
  } catch {
    // The parser's error would quote the payload.
  }
  throw refused('The payload is no JSON object.');
}

const refused = (why: string): SignInError => new SignInError('invalid_response', new Error(why));

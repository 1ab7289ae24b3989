import type { JWTPayload } from 'jose';
import { isObject } from '../../kernel/index.js';
import { requireName, requireSubject } from './provider-http.js';

const CAEP = 'https://schemas.openid.net/secevent/caep/event-type';
const RISC = 'https://schemas.openid.net/secevent/risc/event-type';
/** Events after which no session of the person, or not the named one, may continue. */
const ENDING = [
  `${CAEP}/session-revoked`,
  `${RISC}/account-disabled`,
  `${RISC}/account-purged`,
  `${RISC}/account-credential-change-required`,
  `${RISC}/credential-compromise`,
  `${RISC}/sessions-revoked`,
];

/** Time for which a provider may send an event again, and for which it counts once. */
export const SIGNAL_SECONDS = 7 * 86_400;

/** A verified security event token of a provider. */
export interface SignalToken {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
  /** Whether it ends sessions; others, as a verification, change nothing. */
  readonly isEnding: boolean;
  readonly once: { readonly id: string; readonly until: Date };
}

/**
 * Reads the claims of a security event token (RFC 8417, CAEP 1.0, RISC 1.0), whose signature has
 * been verified.
 * @throws if it is malformed, or its events end sessions of a subject that cannot be found
 */
export function readSignal(
  {
    sub_id: subId,
    events,
    jti,
    iat = 0,
  }: JWTPayload & { readonly sub_id?: unknown; readonly events?: unknown },
  typ: string | undefined,
  issuer: string,
): SignalToken {
  if (typ?.replace(/^application\//i, '') !== 'secevent+jwt')
    throw new Error('The token is of another type.');
  if (!isObject(events)) throw new Error('It has no events.');
  const isEnding = Object.keys(events).some((event) => ENDING.includes(event));
  const [subject, sid] = isEnding ? subjectOf(subId, issuer) : [null, null];
  if (isEnding && subject === null && sid === null) throw new Error('It names no session and no person.');
  const once = { id: requireName(jti), until: new Date((iat + SIGNAL_SECONDS + 60) * 1_000) };
  return { issuer, subject, sid, isEnding, once };
}

/**
 * Reads a subject identifier (RFC 9493, SSF 1.0 section 3): a person by `iss_sub` of this provider,
 * a session by `opaque`, or both in a complex one.
 */
function subjectOf(id: unknown, issuer: string): readonly [subject: string | null, sid: string | null] {
  if (!isObject(id)) return [null, null];
  if (id['format'] === 'complex') {
    const { user, session } = id;
    const [subject] = subjectOf(user, issuer);
    if (user !== undefined && subject === null) throw new Error('It names the person in another way.');
    if (session === undefined) return [subject, null];
    if (!isObject(session) || session['format'] !== 'opaque')
      throw new Error('It names the session in another way.');
    return [subject, requireName(session['id'])];
  }
  if (id['format'] !== 'iss_sub') return [null, null];
  if (id['iss'] !== issuer) throw new Error('It is about a person of another issuer.');
  return [requireSubject(id['sub']), null];
}

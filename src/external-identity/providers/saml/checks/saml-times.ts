import { demand, type SamlCheck } from './saml-refusal.js';

/** Maximum clock skew between the identity provider and this service (SAML-9). */
export const SKEW_MS = 60_000;
/** Maximum age of an assertion. */
export const MAX_AGE_MS = 300_000;

/** UTC with a Z, the only form that SAML Core 1.3.3 allows. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Parses a time. @throws {SamlRefusal} if it is missing or not a time */
export function instantOf(text: string | null, check: SamlCheck, what: string): number {
  const time = text !== null && INSTANT.test(text) ? Date.parse(text) : NaN;
  demand(!Number.isNaN(time), check, `${what} must be a time in UTC`);
  return time;
}

/** Checks a time of issue. @throws {SamlRefusal} if it is in the future or too old */
export function checkIssued(text: string | null, now: number, what: string): number {
  const issued = instantOf(text, 'SAML-9', `the time of the ${what}`);
  demand(issued <= now + SKEW_MS, 'SAML-9', `the ${what} is of the future`);
  demand(issued > now - SKEW_MS - MAX_AGE_MS, 'SAML-9', `the ${what} is too old`);
  return issued;
}

/**
 * Checks a validity period. Its end is required, its start is optional.
 * @returns the end
 * @throws {SamlRefusal} before the start, after the end, or without an end
 */
export function checkWindow(
  notBefore: string | null,
  notOnOrAfter: string | null,
  now: number,
  check: SamlCheck,
): number {
  const from = notBefore === null ? -Infinity : instantOf(notBefore, check, 'NotBefore');
  const until = instantOf(notOnOrAfter, check, 'NotOnOrAfter');
  demand(from <= now + SKEW_MS, check, 'it is not valid yet');
  demand(until > now - SKEW_MS, check, 'it is not valid any more');
  return until;
}

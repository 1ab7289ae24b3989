import { demand, type SamlCheck } from './saml-refusal.js';

/** How far the clocks of the two sides may be apart (SAML-9). */
export const SKEW_MS = 60_000;
/** How old an assertion may be. */
export const OLDEST_MS = 300_000;

/** In UTC, with a Z: SAML Core 1.3.3 allows nothing else. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** @throws {SamlRefusal} for what is missing, or is not a time */
export function instantOf(text: string | null, check: SamlCheck, what: string): number {
  const time = text !== null && INSTANT.test(text) ? Date.parse(text) : NaN;
  demand(!Number.isNaN(time), check, `${what} must be a time in UTC`);
  return time;
}

/** @throws {SamlRefusal} unless it was made just now */
export function checkIssued(text: string | null, now: number, what: string): number {
  const issued = instantOf(text, 'SAML-9', `the time of the ${what}`);
  demand(issued <= now + SKEW_MS, 'SAML-9', `the ${what} is of the future`);
  demand(issued > now - SKEW_MS - OLDEST_MS, 'SAML-9', `the ${what} is too old`);
  return issued;
}

/**
 * @throws {SamlRefusal} unless it has begun, where it says when, and has not ended, which it has to
 * say. Answers the end.
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

import type { Element } from '@xmldom/xmldom';
import { acrOf, type Acr, selectedEvidence } from '../../kernel/index.js';
import { ASSERTION, attributeOf, childrenOf, PROTOCOL, textOf } from '../../external-identity/index.js';
import type { GrantView } from '../../session/index.js';
import { StatusError } from './saml-status.js';

const CLASSES = 'urn:oasis:names:tc:SAML:2.0:ac:classes';
const PASSWORD = `${CLASSES}:PasswordProtectedTransport`;
const TWO_FACTORS = 'https://refeds.org/profile/mfa';

/** Strength that a class of a request demands; null for any sign-in. */
const STRENGTHS: ReadonlyMap<string, Acr | null> = new Map([
  [`${CLASSES}:unspecified`, null],
  [`${CLASSES}:Password`, null],
  [PASSWORD, null],
  ['https://refeds.org/profile/sfa', null],
  [TWO_FACTORS, 'aal2'],
  [`${CLASSES}:TimeSyncToken`, 'aal2'],
  [`${CLASSES}:MobileTwoFactorContract`, 'aal2'],
  ['http://schemas.microsoft.com/claims/multipleauthn', 'aal2'],
]);

/**
 * Reads which sign-in a request demands (SAML Core 3.3.2.2.1): the first class that is known. A
 * stronger sign-in than that fulfils it.
 * @returns null for any
 * @throws {StatusError} NoAuthnContext if none is known, or the comparison is another one
 */
export function readAuthnContext(root: Element): string | null {
  const [requested] = childrenOf(root, PROTOCOL, 'RequestedAuthnContext');
  if (!requested) return null;
  const isAtLeast = ['exact', 'minimum'].includes(attributeOf(requested, 'Comparison') ?? 'exact');
  const classes = childrenOf(requested, ASSERTION, 'AuthnContextClassRef').map((one) =>
    textOf(one, 'SAML-18').trim(),
  );
  const known = classes.find((one) => STRENGTHS.has(one));
  if (!isAtLeast || known === undefined) throw new StatusError('NoAuthnContext');
  return known;
}

/** Returns the strength that a class demands; null for any sign-in. */
export const strengthOf = (authnContext: string | null): Acr | null =>
  authnContext === null ? null : (STRENGTHS.get(authnContext) ?? null);

/**
 * Returns the class of the sign-in of a grant: the requested one, which it fulfils.
 * @throws {StatusError} NoAuthnContext for a weaker one, of a request that asks nothing
 */
export function authnContextOf(grant: GrantView, requested: string | null): string {
  const hasTwo = acrOf(selectedEvidence(grant)) !== 'aal1';
  if (strengthOf(requested) !== null && !hasTwo) throw new StatusError('NoAuthnContext');
  if (requested !== null) return requested;
  if (hasTwo) return TWO_FACTORS;
  return grant.amr.includes('pwd') ? PASSWORD : `${CLASSES}:unspecified`;
}

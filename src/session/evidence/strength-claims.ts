import { acrOf, type Acr, selectedEvidence } from '../../kernel/index.js';

/** What the claims depend on. */
type Told = Parameters<typeof selectedEvidence>[0] & { readonly amr: readonly string[] };

/**
 * Returns the claims of how strong a sign-in is in its organization: a client would take a factor
 * that another organization has added for one of the person (ADR 49).
 */
export function strengthClaimsOf(grant: Told): { readonly acr: Acr; readonly amr: readonly string[] } {
  const counted = selectedEvidence(grant);
  return { acr: acrOf(counted), amr: counted.aal2Time === null ? grant.amr : [...grant.amr, 'mfa'] };
}

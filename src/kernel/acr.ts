/**
 * Strength of a sign-in, weakest first: `aal1`, one factor; `aal2`, two factors of different kinds,
 * or a passkey with user verification (NIST SP 800-63B-4); `phr`, a passkey with user verification
 * (phishing resistant, OpenID Connect EAP ACR Values).
 */
export const ACRS = ['aal1', 'aal2', 'phr'] as const;
export type Acr = (typeof ACRS)[number];

/** Requirements that a message can violate (SAML-1 to SAML-18). */
export type SamlCheck =
  | 'SAML-1'
  | 'SAML-2'
  | 'SAML-3'
  | 'SAML-4'
  | 'SAML-6'
  | 'SAML-7'
  | 'SAML-8'
  | 'SAML-9'
  | 'SAML-10'
  | 'SAML-12'
  | 'SAML-13'
  | 'SAML-17'
  | 'SAML-18';

/** What is refused, where a requirement has several parts. */
type SamlTopic =
  'audience' | 'authentication-age' | 'decryption' | 'not-encrypted' | 'unknown-key' | 'unsigned';

/** Refusal of a response. Its text goes to the log and must not quote the response (LOG-2). */
export class SamlRefusal extends Error {
  /** @param topic what is refused, where a requirement has several */
  constructor(
    readonly check: SamlCheck,
    what: string,
    cause?: unknown,
    readonly topic?: SamlTopic,
  ) {
    super(`${check}: ${what}`, { cause });
  }
}

/** Requires a condition. @throws {SamlRefusal} unless it holds */
export function demand(holds: boolean, check: SamlCheck, what: string, topic?: SamlTopic): asserts holds {
  if (!holds) throw new SamlRefusal(check, what, undefined, topic);
}

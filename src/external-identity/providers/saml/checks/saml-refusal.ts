/** The requirements of the security bar, section 1.J, that an answer can fail. */
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
  | 'SAML-13';

/**
 * Why an answer proves nothing. It goes to the log, so it says what is wrong and never quotes the
 * answer (LOG-2).
 */
export class SamlRefusal extends Error {
  constructor(
    readonly check: SamlCheck,
    what: string,
    cause?: unknown,
  ) {
    super(`${check}: ${what}`, { cause });
  }
}

/** @throws {SamlRefusal} unless it holds */
export function demand(holds: boolean, check: SamlCheck, what: string): asserts holds {
  if (!holds) throw new SamlRefusal(check, what);
}

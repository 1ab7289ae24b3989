/** Longest time after which a notice of a provider is accepted. Facebook and Apple send at once. */
export const MAX_NOTICE_AGE_SECONDS = 86_400;
/** Clock skew. */
export const NOTICE_CLOCK_SECONDS = 60;

/** What a provider tells of a person, verified. */
export interface ProviderNotice {
  /**
   * `withdrawn`: the person takes the consent back; `deleted`: what came from the provider is to be
   * deleted, or the account there was; `other`: nothing to do.
   */
  readonly what: 'withdrawn' | 'deleted' | 'other';
  readonly issuer: string;
  readonly subject: string;
  readonly issuedAt: Date;
  /** Text that no other notice of the provider has. */
  readonly key: string;
}

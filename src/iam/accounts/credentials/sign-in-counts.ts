import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { Counts, type Tally } from '../../../platform/counts/index.js';

/** How people sign in. `provider`: a provider of the platform; `station`: a PIN at one. */
export const SIGN_IN_METHODS = [
  'password',
  'passkey',
  'email_code',
  'connection',
  'provider',
  'station',
  'assertion',
] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** Codes by which sign-ins with what the person knows or holds are refused. */
export const SIGN_IN_REFUSALS = [
  'invalid-credentials',
  'email-not-verified',
  'unavailable',
  'wrong-code',
  'invalid-second-factor',
  'wrong-pin',
] as const;
export type SignInRefusal = (typeof SIGN_IN_REFUSALS)[number];

/** Counts sign-ins, and refused ones, for the platform and the organizations of the person. */
@Injectable()
export class SignInCounts {
  private readonly started: Tally<SignInMethod>;
  private readonly refusals: Tally<SignInRefusal>;

  constructor(counts: Counts) {
    this.started = counts.tally({
      name: 'sign-in',
      values: SIGN_IN_METHODS,
      metric: {
        name: 'gatehouse_sign_ins_total',
        help: 'Sessions started, by first factor.',
        label: 'method',
      },
    });
    this.refusals = counts.tally({ name: 'sign-in-refused', values: SIGN_IN_REFUSALS });
  }

  /** @param tenantId organization that vouches for the person; null for all of the person's */
  signedIn(person: UserId, method: SignInMethod, tenantId: TenantId | null): void {
    this.started.count(method, tenantId === null ? { person } : { tenantId });
  }

  /**
   * Counts a refused sign-in. The same work for an address without an account.
   * @param code of the refusal; other codes than {@link SIGN_IN_REFUSALS} are not counted
   * @param of person, or organization, where it is known
   */
  refused(code: string, of: { readonly person?: UserId | null; readonly tenantId?: TenantId }): void {
    const refusal = SIGN_IN_REFUSALS.find((one) => one === code);
    if (refusal !== undefined) this.refusals.count(refusal, of);
  }
}

import { applyDecorators, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** A person of another system, as a line of `people:import` names them. */
export interface LegacyPerson {
  /** Id in the other system, the same as in an imported file. */
  readonly externalId: string;
  /** Address that the other system has stored: it has to be the one of the sign-in. */
  readonly email: string;
  /** Whether the person has proven to read it. Others are refused. */
  readonly emailVerified: boolean;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly displayName?: string | null;
  readonly memberships?: readonly { readonly tenantId: string; readonly roles: readonly string[] }[];
}

/** Verifies passwords at another system, from which people move in one by one. */
export interface LegacyVerifier {
  /**
   * Returns the person if the password is right; null if it is wrong, or the address unknown.
   * @param signal aborts at the end of `maxAnswerMs`, from when on the answer is ignored
   */
  verify(email: string, password: string, signal: AbortSignal): Promise<LegacyPerson | null>;
}

export interface LegacyDirectoryOptions {
  /**
   * Time for an answer, which each refused login takes: 100 to 3,000 milliseconds, 3,000 if it is
   * left out. Answers that come later are refusals: choose more than the slowest right one takes.
   */
  readonly maxAnswerMs?: number;
}

/** Metadata of {@link LegacyDirectory}. */
export const LegacyDirectoryMark = Reflector.createDecorator<LegacyDirectoryOptions>();

/**
 * Registers the {@link LegacyVerifier} of this service, at most one. Logins ask it about addresses
 * without an account, and about accounts that were imported without a password.
 */
export function LegacyDirectory(options: LegacyDirectoryOptions = {}): ClassDecorator {
  return applyDecorators(Injectable(), LegacyDirectoryMark(options));
}

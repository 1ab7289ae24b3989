import { ExternalSignInError, ProblemError, type SecondFactorNeeded } from '@gatehouse/client';

/** Returns what a sign-in still needs; null for an error with which it has ended. */
export const secondFactorOf = (error: unknown): SecondFactorNeeded | null =>
  error instanceof ProblemError || error instanceof ExternalSignInError ? error.secondFactor : null;

/** Lets a page accompany a sign-in, whichever method it uses. */
export type RunSignIn = (signIn: () => Promise<unknown>) => Promise<unknown>;

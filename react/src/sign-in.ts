'use client';

import {
  ExternalSignInError,
  getPasskey,
  ProblemError,
  type ExternalKind,
  type ExternalSignInResult,
  type LogoutKind,
  type SecondFactorNeeded,
} from '@gatehouse/client';
import { useEffect, useState } from 'react';
import { useAttempt, type Progress } from './attempt.js';
import { useGatehouse } from './hooks.js';
import { useStore } from './provider.js';

/** A second factor of the user. `passkey` asks the browser for it. */
export type FactorEntry = { readonly rememberDevice?: boolean } & (
  { readonly method: 'totp' | 'recovery_code'; readonly code: string } | { readonly method: 'passkey' }
);

export interface SignIn extends Progress {
  /** What the sign-in still needs, to continue by `submitSecondFactor`; null for nothing. */
  readonly secondFactor: SecondFactorNeeded | null;
  /**
   * Token of the device that `rememberDevice` has asked for, to store for later logins of this
   * user; null without one.
   */
  readonly deviceToken: string | null;
  /**
   * Signs in by address and password.
   * @returns whether it succeeded: false, with `secondFactor`, if it needs more; never rejects
   */
  readonly signIn: (credentials: {
    email: string;
    password: string;
    deviceToken?: string | undefined;
  }) => Promise<boolean>;
  /** Completes the sign-in. @returns whether it succeeded; never rejects */
  readonly submitSecondFactor: (entry: FactorEntry) => Promise<boolean>;
  /** Signs in only by a passkey. @returns whether it succeeded; never rejects */
  readonly signInWithPasskey: () => Promise<boolean>;
  /** Gives the second factor up, to begin with another account. */
  readonly startOver: () => void;
  /** Sends the browser to a provider. @returns false if that failed; never rejects */
  readonly signInWith: (kind: ExternalKind, options?: { returnUri?: string }) => Promise<boolean>;
}

export interface SignOut extends Progress {
  /**
   * Ends this session, all, or all others. With `upstream`, sends the browser on to the provider of
   * a connection that offers a logout.
   * @returns whether it succeeded; never rejects
   */
  readonly signOut: (which?: LogoutKind, options?: { upstream?: boolean }) => Promise<boolean>;
}

const OPTIONS = '/api/v1/iam/auth/passkeys/options';

/**
 * Returns functions for a sign-in form, with their progress.
 * @param failed error of `useCompleteSignIn`, to continue an external sign-in that needs a second
 *   factor
 */
export function useSignIn(failed: unknown = null): SignIn {
  const client = useGatehouse();
  const { run, error, isPending } = useAttempt();
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null);
  const [deviceToken, setDeviceToken] = useState<string | null>(null);
  const [isOver, setOver] = useState(false);
  const secondFactor = needed ?? (isOver ? null : secondFactorOf(failed));
  const set = (next: SecondFactorNeeded | null) => {
    setNeeded(next);
    setOver(true);
  };
  const submit = async (entry: FactorEntry) => {
    if (!secondFactor) throw new Error('No sign-in waits for a second factor.');
    const { challenge } = secondFactor;
    const { rememberDevice = false, ...rest } = entry;
    const proof =
      rest.method === 'passkey'
        ? await getPasskey((await client.post(OPTIONS, { body: { challenge } })).data)
        : {};
    try {
      const body = { ...rest, ...proof, challenge, rememberDevice };
      setDeviceToken((await client.submitSecondFactor(body)).deviceToken);
    } catch (thrown) {
      if (isExpired(thrown)) set(null);
      throw thrown;
    }
    set(null);
  };
  return {
    isPending,
    error: secondFactorOf(error) ? null : error,
    secondFactor,
    deviceToken,
    signIn: (credentials) =>
      run(async () => {
        set(null);
        setDeviceToken(null);
        await client.login(credentials).catch((thrown: unknown) => {
          setNeeded(secondFactorOf(thrown));
          throw thrown;
        });
      }),
    submitSecondFactor: (entry) => run(() => submit(entry)),
    signInWithPasskey: () =>
      run(async () => {
        const { data } = await client.post(OPTIONS, { body: {} });
        await client.signInWithPasskey(await getPasskey(data));
      }),
    startOver: () => set(null),
    signInWith: (kind, options) =>
      run(async () => location.assign(await client.startExternalSignIn(kind, options))),
  };
}

const secondFactorOf = (error: unknown): SecondFactorNeeded | null =>
  error instanceof ProblemError || error instanceof ExternalSignInError ? error.secondFactor : null;

/** Whether the challenge is void, so that the user has to sign in again. */
const isExpired = (error: unknown): boolean =>
  error instanceof ProblemError && error.violations.some(({ propertyPath }) => propertyPath === 'challenge');

/** Returns a function for a sign-out button, with its progress. */
export function useSignOut(): SignOut {
  const client = useGatehouse();
  const { run, ...progress } = useAttempt();
  const signOut: SignOut['signOut'] = (which, options) =>
    run(async () => {
      const logoutUrl = await client.logout(which, options);
      if (logoutUrl !== null) location.assign(logoutUrl);
    });
  return { ...progress, signOut };
}

/** State of the external sign-in that has returned to this page. */
export type Completion =
  | { readonly status: 'pending'; readonly result: null; readonly error: null }
  | { readonly status: 'done'; readonly result: ExternalSignInResult; readonly error: null }
  | { readonly status: 'failed'; readonly result: null; readonly error: unknown };

const PENDING: Completion = { status: 'pending', result: null, error: null };

/**
 * Completes an external sign-in on its return page. Once for the page, however often it is
 * mounted: the code works once only.
 */
export function useCompleteSignIn(): Completion {
  const store = useStore();
  const [completion, setCompletion] = useState<Completion>(PENDING);
  useEffect(() => {
    let isMounted = true;
    const set = (next: Completion) => isMounted && setCompletion(next);
    (store.completion ??= store.client.completeExternalSignIn()).then(
      (result) => set({ status: 'done', result, error: null }),
      (error: unknown) => set({ status: 'failed', result: null, error }),
    );
    return () => {
      isMounted = false;
    };
  }, [store]);
  return completion;
}

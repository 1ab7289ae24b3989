'use client';

import type { ExternalKind, ExternalSignInResult, LogoutKind } from '@gatehouse/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useGatehouse } from './hooks.js';
import { useStore } from './provider.js';

interface Progress {
  readonly isPending: boolean;
  /** Error of the last attempt, to show at the form. */
  readonly error: unknown;
}

export interface SignIn extends Progress {
  /** Signs in by address and password. @returns whether it succeeded; never rejects */
  readonly signIn: (credentials: { email: string; password: string }) => Promise<boolean>;
  /** Sends the browser to a provider. @returns false if that failed; never rejects */
  readonly signInWith: (kind: ExternalKind, options?: { returnUri?: string }) => Promise<boolean>;
}

export interface SignOut extends Progress {
  /** Ends this session, all, or all others. @returns whether it succeeded; never rejects */
  readonly signOut: (which?: LogoutKind) => Promise<boolean>;
}

/** Returns functions for a sign-in form, with their progress. */
export function useSignIn(): SignIn {
  const client = useGatehouse();
  const { run, ...progress } = useAttempt();
  return {
    ...progress,
    signIn: (credentials) => run(() => client.login(credentials)),
    signInWith: (kind, options) =>
      run(async () => location.assign(await client.startExternalSignIn(kind, options))),
  };
}

/** Returns a function for a sign-out button, with its progress. */
export function useSignOut(): SignOut {
  const client = useGatehouse();
  const { run, ...progress } = useAttempt();
  return { ...progress, signOut: (which) => run(() => client.logout(which)) };
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
    return () => void (isMounted = false);
  }, [store]);
  return completion;
}

/** Runs attempts and keeps the progress of the latest one. */
function useAttempt(): Progress & { readonly run: (work: () => Promise<unknown>) => Promise<boolean> } {
  const [progress, setProgress] = useState<Progress>({ isPending: false, error: null });
  const latest = useRef(0);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    const own = (latest.current += 1);
    const set = (next: Progress) => own === latest.current && setProgress(next);
    set({ isPending: true, error: null });
    try {
      await work();
      set({ isPending: false, error: null });
      return true;
    } catch (error) {
      set({ isPending: false, error });
      return false;
    }
  }, []);
  return { ...progress, run };
}

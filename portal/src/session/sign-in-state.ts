import { useSyncExternalStore } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { currentSessionId, gatehouse } from './gatehouse.ts';
import { inBackground } from './in-background.ts';

/** The session of this browser, or why it has ended. */
export interface SignInState {
  readonly sessionId: string | null;
  readonly left: 'logout' | 'ended' | null;
}

let state: SignInState = { sessionId: currentSessionId(), left: null };
const listeners = new Set<() => void>();

function setState(next: SignInState): void {
  if (next.sessionId === state.sessionId && next.left === state.left) return;
  state = next;
  listeners.forEach((listener) => listener());
}

gatehouse.on('signed-in', ({ sessionId }) => setState({ sessionId, left: null }));
gatehouse.on('signed-out', ({ reason }) => setState({ sessionId: null, left: reason }));
inBackground(gatehouse.isSignedIn()); // from now on this tab has its session, and is notified when another tab ends it

/** Reports that the service has refused the session. */
export const reportSessionEnd = (): void => setState({ sessionId: null, left: 'ended' });

/**
 * Adds a listener.
 * @returns a function that removes it
 */
export function onSignInChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Entry of the history by which a signed-in user chooses another account. */
export const replacing = (sessionId: string) => ({ replaced: sessionId });

/**
 * Returns the session that the user wants to replace by another account; null if there is none. It
 * lasts until then, so that users who change their mind are still signed in.
 */
export const useReplaced = (): string | null =>
  (useHistoryState() as { replaced?: string } | null)?.replaced ?? null;

/** History state of a way to the sign-in page, for the person whom an app expects. */
export const expecting = (loginHint: string | null) => ({ expected: loginHint });

/** Returns the address of the person whom an app expects, if it has named one. */
export function useExpected(): string | undefined {
  const { expected } = (useHistoryState() as { expected?: string | null } | null) ?? {};
  return expected && /^[^\s@]+@[^\s@]+$/.test(expected) ? expected : undefined;
}

export const useSignIn = (): SignInState => useSyncExternalStore(onSignInChange, () => state);

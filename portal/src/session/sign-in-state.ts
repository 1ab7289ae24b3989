import { useSyncExternalStore } from 'react';
import { currentSessionId, gatehouse } from './gatehouse.ts';

/** Whether somebody is signed in in this browser, and if not any more, why. */
export interface SignInState {
  readonly sessionId: string | null;
  readonly left: 'logout' | 'ended' | null;
}

let state: SignInState = { sessionId: currentSessionId(), left: null };
const listeners = new Set<() => void>();

function become(next: SignInState): void {
  if (next.sessionId === state.sessionId && next.left === state.left) return;
  state = next;
  listeners.forEach((listener) => listener());
}

gatehouse.on('signed-in', ({ sessionId }) => become({ sessionId, left: null }));
gatehouse.on('signed-out', ({ reason }) => become({ sessionId: null, left: reason }));
void gatehouse.isSignedIn(); // from here on this tab knows its session, and hears when another tab ends it

/** To be called where a request finds nobody signed in. */
export const noticeEnd = (): void => become({ sessionId: null, left: 'ended' });

/** Hears of every change. Answers what ends the hearing. */
export function onSignInChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSignIn = (): SignInState => useSyncExternalStore(onSignInChange, () => state);

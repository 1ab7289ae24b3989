'use client';

import type { Gatehouse, Scope } from '@gatehouse/client';
import { useCallback, useSyncExternalStore } from 'react';
import { UNKNOWN, type Permission } from './permission-store.js';
import { useStore } from './provider.js';
import { LOADING, type Session } from './session-store.js';

/** Returns the client of the provider. */
export const useGatehouse = (): Gatehouse => useStore().client;

/** Returns the sign-in of this tab, and renders again when any tab changes it. */
export function useSession(): Session {
  const { session } = useStore();
  return useSyncExternalStore(session.subscribe, session.get, () => LOADING);
}

/**
 * Returns whether the user may do something in the tenant of this tab. Checks of all components
 * that mount within one tick share one request for each subject.
 * @param subject `gatehouse:///iam/members/<id>`; null to check the scope without a subject
 */
export function useCan(scope: Scope, subject: string | null = null): Permission {
  const { permissions } = useStore();
  return useSyncExternalStore(
    useCallback(
      (listener: () => void) => permissions.subscribe(subject, scope, listener),
      [permissions, subject, scope],
    ),
    () => permissions.get(subject, scope),
    () => UNKNOWN,
  );
}

/**
 * Returns a function that requests all shown permissions again: call it after an operation that
 * changes what is allowed, such as the archive of a tenant.
 */
export const useRefreshPermissions = (): (() => void) => useStore().permissions.refresh;

'use client';

import type { ExternalSignInResult, Gatehouse } from '@gatehouse/client';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { PermissionStore } from './permission-store.js';
import { SessionStore } from './session-store.js';

/** State of one client, shared by all its providers. */
export interface Store {
  readonly client: Gatehouse;
  readonly session: SessionStore;
  readonly permissions: PermissionStore;
  /** The external sign-in that returned to this page, completed once. */
  completion: Promise<ExternalSignInResult> | null;
}

const stores = new WeakMap<Gatehouse, Store>();
const StoreContext = createContext<Store | null>(null);

function storeOf(client: Gatehouse): Store {
  const existing = stores.get(client);
  if (existing) return existing;
  const session = new SessionStore(client);
  const permissions = new PermissionStore(client, session);
  const store: Store = { client, session, permissions, completion: null };
  stores.set(client, store);
  return store;
}

export interface GatehouseProviderProps {
  /** Create it once, outside of components. */
  readonly client: Gatehouse;
  readonly children?: ReactNode;
}

/** Provides a client to the hooks below it. */
export function GatehouseProvider({ client, children }: GatehouseProviderProps) {
  const store = storeOf(client);
  useEffect(() => store.session.attach(), [store]);
  return <StoreContext.Provider value={store}>{children}</StoreContext.Provider>;
}

/** @throws if there is no provider above the component */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('Hooks of @gatehouse/react need a <GatehouseProvider> above them.');
  return store;
}

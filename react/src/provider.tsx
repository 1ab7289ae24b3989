'use client';

import type { ExternalSignInResult, Gatehouse } from '@gatehouse/client';
import { createContext, useContext, useEffect, type ReactNode } from 'react';
import { HostedReturnStore } from './hosted-return.js';
import { PermissionStore } from './permission-store.js';
import { ResourceStore } from './resource-store.js';
import { SessionStore } from './session-store.js';
import { readOrganizations, readUser, type Organization, type User } from './account.js';

/** State of one client, shared by all its providers. */
export interface Store {
  readonly client: Gatehouse;
  readonly session: SessionStore;
  readonly permissions: PermissionStore;
  readonly user: ResourceStore<User>;
  readonly organizations: ResourceStore<readonly Organization[]>;
  readonly hosted: HostedReturnStore;
  /** The external sign-in that returned to this page, completed once. */
  completion: Promise<ExternalSignInResult> | null;
}

const stores = new WeakMap<Gatehouse, Store>();
const StoreContext = createContext<Store | null>(null);

function storeOf(client: Gatehouse): Store {
  const existing = stores.get(client);
  if (existing) return existing;
  const session = new SessionStore(client);
  const store: Store = {
    client,
    session,
    permissions: new PermissionStore(client, session),
    user: new ResourceStore(session, () => readUser(client)),
    organizations: new ResourceStore(session, () => readOrganizations(client)),
    hosted: new HostedReturnStore(client),
    completion: null,
  };
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

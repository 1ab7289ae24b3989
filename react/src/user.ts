'use client';

import { useSyncExternalStore } from 'react';
import type { Organization, User } from './account.js';
import { useSession } from './hooks.js';
import { useStore } from './provider.js';
import { UNREAD, type Resource, type ResourceStore } from './resource-store.js';

/** A resource, and a function that reads it again. */
export type Refreshable<T> = Resource<T> & { readonly refresh: () => void };

/** Returns the signed-in user: name, address, language. All components share one request. */
export const useUser = (): Refreshable<User> => useResource(useStore().user);

export type Organizations = Refreshable<readonly Organization[]> & {
  /** The organization that this tab has selected; null without one, and until they are read. */
  readonly selected: Organization | null;
  /** Selects one for this tab. Rejects as `Gatehouse.selectTenant` does. */
  readonly select: (id: string | null) => Promise<string | null>;
};

/** Returns the user's organizations, the selected one, and a function that selects another. */
export function useOrganizations(): Organizations {
  const { client, organizations } = useStore();
  const { tenantId } = useSession();
  const resource = useResource(organizations);
  return {
    ...resource,
    selected: resource.data?.find(({ id }) => id === tenantId) ?? null,
    select: (id) => client.selectTenant(id),
  };
}

function useResource<T>(store: ResourceStore<T>): Refreshable<T> {
  const resource = useSyncExternalStore<Resource<T>>(store.subscribe, store.get, () => UNREAD);
  return { ...resource, refresh: store.refresh };
}

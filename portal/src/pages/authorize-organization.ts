import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { text } from '../messages/index.ts';
import { gatehouse } from '../session/gatehouse.ts';
import { useMyTenants } from '../session/my-tenants.ts';
import { inBackground } from '../session/in-background.ts';

/**
 * The organization in which the satellite will work. A user of one organization works there unless
 * they choose otherwise; a user of several chooses.
 */
export function useOrganization() {
  const {
    data: tenants = [],
    error,
    isPending,
    hasNextPage,
    isFetchingNextPage,
    fetchNextPage,
  } = useMyTenants();
  const [chosen, onChange] = useState<string | null>(null);
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) inBackground(fetchNextPage()); // the choice lists all of them
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const only = tenants.length === 1 ? tenants[0]?.id : undefined;
  const value = chosen ?? only ?? '';
  const { data: look } = useQuery({
    queryKey: ['look', value],
    enabled: value !== '',
    queryFn: async () => (await gatehouse.findSignInOptions({ organization: value })).branding ?? null,
    staleTime: 60_000,
  });
  const none = ['', text('authorize.no-organization')] as const;
  return {
    options: [none, ...tenants.map(({ id, name }) => [id, name] as const)],
    value,
    /** Name of the organization; undefined without one. */
    name: tenants.find(({ id }) => id === value)?.name,
    /** Look of the organization, if it has one of its own. */
    look: value === '' ? undefined : (look ?? undefined),
    onChange,
    error,
    isReady: !isPending && !hasNextPage,
  };
}

import { useEffect, useState } from 'react';
import { text } from '../messages/index.ts';
import { useMyTenants } from '../session/my-tenants.ts';

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
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage(); // the choice lists all of them
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const only = tenants.length === 1 ? tenants[0]?.id : undefined;
  const none = ['', text('authorize.no-organization')] as const;
  return {
    options: [none, ...tenants.map(({ id, name }) => [id, name] as const)],
    value: chosen ?? only ?? '',
    onChange,
    error,
    isReady: !isPending && !hasNextPage,
  };
}

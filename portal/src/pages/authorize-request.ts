import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../session/gatehouse.ts';
import { PAGE_PATHS } from '../session/paths.ts';

/**
 * Reads which satellite has sent its visitor with this query.
 * @param query of the authorization page; null without a request
 */
export const useSatellite = (query: URLSearchParams | null) => {
  const clientId = query?.get('clientId') ?? '';
  const redirectUri = query?.get('redirectUri') ?? '';
  return useQuery({
    queryKey: ['satellite-request', clientId, redirectUri],
    enabled: query !== null && !query.has('request'),
    queryFn: async () => {
      const params = { query: { clientId, redirectUri } };
      return (await gatehouse.get('/api/v1/iam/auth/satellite/request', { params })).data;
    },
    staleTime: Infinity,
  });
};

/** Returns the satellite for which the user signs in, if the next page is its authorization. */
export function useSatelliteOf(next: string) {
  const [path, query] = next.split('?');
  return useSatellite(path === PAGE_PATHS.authorize ? new URLSearchParams(query) : null).data;
}

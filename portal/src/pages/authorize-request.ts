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

/**
 * Reads the request of a client of OpenID Connect.
 * @param id null without one
 * @param sessionId of the person who decides: consent is theirs
 */
export const useOpenIdRequest = (id: string | null, sessionId: string | null) =>
  useQuery({
    queryKey: ['openid-request', id, sessionId],
    enabled: id !== null,
    queryFn: async () => {
      const params = { path: { id: id ?? '' } };
      return (await gatehouse.get('/api/v1/iam/auth/authorizations/{id}', { params })).data;
    },
    staleTime: Infinity,
  });

/** Returns the app for which the user signs in, if the next page is its authorization. */
export function useAppOf(
  next: string,
): { readonly name: string; readonly logoUrl: string | null } | undefined {
  const [path, text] = next.split('?');
  const query = path === PAGE_PATHS.authorize ? new URLSearchParams(text) : null;
  const satellite = useSatellite(query).data;
  const request = useOpenIdRequest(query?.get('request') ?? null, null).data;
  return satellite ?? request?.client;
}

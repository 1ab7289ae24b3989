import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useWhole } from '../../../ui/list.tsx';

export type OrganizationApi = components['schemas']['ApiResponse'];

const keyOf = (tenantId: string) => ['organization', tenantId, 'apis'] as const;
const reachKeyOf = (tenantId: string, clientId: string) =>
  ['organization', tenantId, 'reach', clientId] as const;

export const useApis = (tenantId: string) =>
  useWhole(
    keyOf(tenantId),
    async (query) =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/apis', { params: { path: { id: tenantId }, query } }))
        .data,
  );

/** Reads the APIs that an app reaches. */
export const useReach = (tenantId: string, clientId: string | undefined) =>
  useQuery({
    queryKey: reachKeyOf(tenantId, clientId ?? ''),
    enabled: clientId !== undefined,
    queryFn: async () => {
      const params = { path: { id: tenantId, clientId: clientId ?? '' }, query: { limit: 100 } };
      return (await gatehouse.get('/api/v1/iam/tenants/{id}/clients/{clientId}/apis', { params })).data.items;
    },
  });

export const refreshApis = (tenantId: string) => queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

export const refreshReach = (tenantId: string, clientId: string) =>
  queryClient.invalidateQueries({ queryKey: reachKeyOf(tenantId, clientId) });

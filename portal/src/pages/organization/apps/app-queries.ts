import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useWhole } from '../../../ui/list.tsx';

export type OrganizationApp = components['schemas']['SatelliteResponse'];

const keyOf = (tenantId: string) => ['organization', tenantId, 'apps'] as const;

export const useApps = (tenantId: string) =>
  useWhole(
    keyOf(tenantId),
    async (query) =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/clients', { params: { path: { id: tenantId }, query } }))
        .data,
  );

export const appKeyOf = (tenantId: string, clientId: string) => [...keyOf(tenantId), clientId] as const;

/** Reads an app. */
export const useApp = (tenantId: string, clientId: string) =>
  useQuery({
    queryKey: appKeyOf(tenantId, clientId),
    queryFn: async () => {
      const params = { path: { id: tenantId, clientId } };
      return (await gatehouse.get('/api/v1/iam/tenants/{id}/clients/{clientId}', { params })).data;
    },
  });

export const refreshApps = (tenantId: string) => queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

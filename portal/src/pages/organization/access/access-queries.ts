import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { useList } from '../../../ui/list.tsx';
import { keys } from '../organization-queries.ts';

export type Thing = components['schemas']['ThingResponse'];

const THINGS = '/api/v1/iam/tenants/{id}/things';
export const ASSIGNMENTS = '/api/v1/iam/tenants/{id}/members/{userId}/assignments';
/** Things that a field offers. */
const MAX_OFFERED = 20;

/** Roles of a member on things. */
export const useAssignments = (tenantId: string, userId: string) =>
  useList(
    [...keys.members(tenantId), 'assignments', userId],
    async (cursor) =>
      (await gatehouse.get(ASSIGNMENTS, { params: { path: { id: tenantId, userId }, query: { cursor } } }))
        .data,
  );

/** Registered things with a part in their names; the first ones without. */
export const useThings = (tenantId: string, query: string, enabled: boolean) =>
  useQuery({
    queryKey: ['organization', tenantId, 'things', query],
    enabled,
    queryFn: async () =>
      (
        await gatehouse.get(THINGS, {
          params: { path: { id: tenantId }, query: { limit: MAX_OFFERED, ...(query !== '' && { query }) } },
        })
      ).data.items,
    placeholderData: keepPreviousData,
  });

import type { components, paths } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList } from '../../../ui/list.tsx';

export type Station = components['schemas']['StationResponse'];
type StationFilter = Omit<
  NonNullable<paths['/api/v1/iam/tenants/{id}/stations']['get']['parameters']['query']>,
  'cursor' | 'limit'
>;

export const ALL = '/api/v1/iam/tenants/{id}/stations';
export const ONE = `${ALL}/{stationId}` as const;

/** How often the list is read again: people come and go. */
const POLL_MS = 15_000;

const keyOf = (tenantId: string) => ['organization', tenantId, 'stations'] as const;

export const useStations = (tenantId: string, filter: StationFilter) =>
  useList(
    [...keyOf(tenantId), filter],
    async (cursor) =>
      (await gatehouse.get(ALL, { params: { path: { id: tenantId }, query: { cursor, ...filter } } })).data,
    { pollMs: POLL_MS, isChanging: (stations) => stations.length > 0 },
  );

/** Reads the lists of stations again, after a change. */
export const readStationsAgain = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

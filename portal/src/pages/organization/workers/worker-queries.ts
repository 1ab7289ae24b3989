import type { components, paths } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList } from '../../../ui/list.tsx';

export type Worker = components['schemas']['WorkerResponse'];
export type WorkerFilter = Omit<
  NonNullable<paths['/api/v1/iam/tenants/{id}/workers']['get']['parameters']['query']>,
  'cursor' | 'limit'
>;

export const ALL = '/api/v1/iam/tenants/{id}/workers';
export const ONE = `${ALL}/{userId}` as const;

const keyOf = (tenantId: string) => ['organization', tenantId, 'workers'] as const;

export const useWorkers = (tenantId: string, filter: WorkerFilter) =>
  useList(
    [...keyOf(tenantId), filter],
    async (cursor) =>
      (await gatehouse.get(ALL, { params: { path: { id: tenantId }, query: { cursor, ...filter } } })).data,
  );

/** Reads the lists of workers again, after a change. */
export const readWorkersAgain = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

export const nameOf = ({ firstName, lastName, number }: Worker): string =>
  [firstName, lastName].filter((part) => part !== null).join(' ') || number;

/** Issues a badge; the one before ends. @returns its text, which cannot be read again */
export const issueBadge = async (tenantId: string, userId: string): Promise<string> =>
  (await gatehouse.post(`${ONE}/badge`, { params: { path: { id: tenantId, userId } }, body: {} })).data.badge;

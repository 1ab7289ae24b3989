import { useMutation, useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList } from '../../../ui/list.tsx';

export type AccessRequest = components['schemas']['AccessRequestResponse'];

/** What is done with a request that waits. */
export type Decision = 'approve' | 'deny' | 'withdraw';

export const ALL = '/api/v1/iam/tenants/{id}/access-requests';
const ONE = `${ALL}/{requestId}` as const;
const MEMBER = '/api/v1/iam/tenants/{id}/members/{userId}';

/** How often requests that wait are read again: others decide too. */
const POLL_MS = 15_000;

const keyOf = (tenantId: string) => ['organization', tenantId, 'access-requests'] as const;

export const useAccessRequests = (tenantId: string, status: AccessRequest['status'] | undefined) =>
  useList(
    [...keyOf(tenantId), status],
    async (cursor) =>
      (
        await gatehouse.get(ALL, {
          params: { path: { id: tenantId }, query: { cursor, ...(status !== undefined && { status }) } },
        })
      ).data,
    { pollMs: POLL_MS, isChanging: (requests) => requests.some((request) => request.status === 'pending') },
  );

export const useAccessRequest = (tenantId: string, requestId: string) =>
  useQuery({
    queryKey: [...keyOf(tenantId), 'one', requestId],
    queryFn: async () => (await gatehouse.get(ONE, { params: { path: { id: tenantId, requestId } } })).data,
  });

/** The requesting member. */
export const useRequester = (tenantId: string, userId: string) =>
  useQuery({
    queryKey: ['organization', tenantId, 'members', 'one', userId],
    queryFn: async () => (await gatehouse.get(MEMBER, { params: { path: { id: tenantId, userId } } })).data,
  });

export const useMaxHours = (tenantId: string) =>
  useQuery({
    queryKey: [...keyOf(tenantId), 'policy'],
    queryFn: async () =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/access-request-policy', {
          params: { path: { id: tenantId } },
        })
      ).data.maxHours,
  });

/** Reads the requests again, after a change. */
export const readRequestsAgain = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

/** Decides about a request. */
export const useDecision = (tenantId: string, requestId: string, onDone: (decision: Decision) => void) =>
  useMutation({
    mutationFn: async (decision: Decision) => {
      const params = { path: { id: tenantId, requestId } };
      if (decision === 'approve') await gatehouse.post(`${ONE}/approve`, { params });
      else if (decision === 'deny') await gatehouse.post(`${ONE}/deny`, { params });
      else await gatehouse.post(`${ONE}/withdraw`, { params });
    },
    onSuccess: (_, decision) => onDone(decision),
    onSettled: () => readRequestsAgain(tenantId),
  });

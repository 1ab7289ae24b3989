import { useQueries } from '@tanstack/react-query';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { useMe } from '../../session/queries.ts';
import { nameOf } from './member-name.ts';
import { keys } from './organization-queries.ts';

/** @returns null for a person who is no member any more, and where the user may read none */
async function readName(tenantId: string, userId: string): Promise<string | null> {
  try {
    const path = { id: tenantId, userId };
    const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/members/{userId}', { params: { path } });
    return nameOf(data);
  } catch (error) {
    if (error instanceof ProblemError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

/** Names of few members, where the service gives ids only. */
export function useMemberNames(tenantId: string, userIds: readonly string[]): (userId: string) => string {
  const { data: me } = useMe();
  const ids = [...new Set(userIds)];
  const read = useQueries({
    queries: ids.map((userId) => ({
      queryKey: [...keys.tenant(tenantId), 'name', userId],
      queryFn: () => readName(tenantId, userId),
      staleTime: 300_000,
    })),
  });
  return (userId) => {
    if (userId === me?.id) return text('trail.you');
    return read[ids.indexOf(userId)]?.data ?? text('unknown-person', { id: userId.slice(-6) });
  };
}

import { MutationCache, QueryCache, QueryClient, useQuery } from '@tanstack/react-query';
import { ProblemError, SignedOutError, UnreachableError } from '@gatehouse/client';
import { useList } from '../ui/list.tsx';
import { gatehouse } from './gatehouse.ts';
import { noticeEnd, onSignInChange } from './sign-in-state.ts';

const onError = (error: unknown): void => {
  if (error instanceof SignedOutError) noticeEnd();
};

const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ProblemError && error.status === 503);

/** What has been read of the service. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: (count, error) => isTransient(error) && count < 2 },
    mutations: { networkMode: 'always' },
  },
});

// Whoever was here before: nothing of what they saw stays.
onSignInChange(() => queryClient.clear());

/** Who am I. */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: async () => (await gatehouse.get('/api/v1/iam/me')).data,
  });

/** The organizations that I am a member of. */
export const useMyTenants = () =>
  useList(
    ['tenants'],
    async (cursor) => (await gatehouse.get('/api/v1/iam/me/tenants', { params: { query: { cursor } } })).data,
  );

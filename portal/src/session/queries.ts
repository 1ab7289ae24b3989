import { MutationCache, QueryCache, QueryClient, useQuery } from '@tanstack/react-query';
import { ProblemError, SignedOutError, UnreachableError } from '@gatehouse/client';
import { gatehouse } from './gatehouse.ts';
import { reportSessionEnd, onSignInChange } from './sign-in-state.ts';

const onError = (error: unknown): void => {
  if (error instanceof SignedOutError) reportSessionEnd();
};

const isTransient = (error: unknown): boolean =>
  error instanceof UnreachableError || (error instanceof ProblemError && error.status === 503);

/** For reads by POST, which the client does not repeat. */
const retry = (count: number, error: unknown): boolean => isTransient(error) && count < 2;

/** Cache of responses of the service. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: false }, // the client repeats reads
    mutations: { networkMode: 'always' },
  },
});

// Removes what the previous user has read.
onSignInChange(() => queryClient.clear());

/** Reads the user's profile. */
export const useMe = () =>
  useQuery({
    queryKey: ['me'],
    queryFn: async () => (await gatehouse.get('/api/v1/iam/me')).data,
  });

/** Reads the user's second factors, and what waits for them. */
export const useAuthenticators = () =>
  useQuery({
    queryKey: ['authenticators'],
    queryFn: async () => (await gatehouse.get('/api/v1/iam/me/authenticators')).data,
  });

/**
 * Reads an invitation by its mailed token.
 * @param token null if there is none
 */
export const useInvitation = (token: string | null) =>
  useQuery({
    queryKey: ['invitation', token],
    enabled: token !== null,
    staleTime: 60_000,
    retry,
    queryFn: async () =>
      (await gatehouse.post('/api/v1/iam/auth/invitation-preview', { body: { token: token ?? '' } })).data,
  });

/** The user's methods to confirm who they are. Mails no code. */
export const useStepUpMethods = () =>
  useQuery({
    queryKey: ['step-up-methods'],
    retry,
    queryFn: async () =>
      (await gatehouse.post('/api/v1/iam/auth/step-up/options', { body: {} })).data.methods,
  });

import { useQuery } from '@tanstack/react-query';
import type { Scope } from '@gatehouse/client';
import { gatehouse } from './gatehouse.ts';

/** Held by every operator. */
const OF_OPERATORS = 'platform:person:read' satisfies Scope;

/**
 * Asks whether the user is an operator of the platform.
 * @param options `enabled` false if it shall not be asked now
 */
export const useIsOperator = (options: { readonly enabled?: boolean; readonly staleTime?: number } = {}) =>
  useQuery({
    ...options,
    queryKey: ['operator', 'entry'],
    queryFn: async () => {
      const verdict = (await gatehouse.can(null, [OF_OPERATORS]))[OF_OPERATORS];
      // A sign-in that is too old hides nothing: the operation asks to confirm it.
      return verdict.allowed || verdict.code === 'authentication_insufficient';
    },
  });

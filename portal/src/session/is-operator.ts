import { useQuery } from '@tanstack/react-query';
import type { Scope } from '@gatehouse/client';
import { gatehouse } from './gatehouse.ts';

/** What the pages of operators need; a restricted operator holds some of it. */
const OF_OPERATORS = [
  'platform:overview:read',
  'platform:person:read',
  'platform:tenant:read',
  'platform:operator:read',
  'platform:import:create',
  'platform:permission:read',
  'webhooks:operator-webhook:read',
  'webhooks:operator-webhook:manage',
  'platform:job:read',
  'platform:audit:read',
] as const satisfies readonly Scope[];

export type OperatorScope = (typeof OF_OPERATORS)[number];

/**
 * Asks which pages of operators are the user's: none for people who are no operators.
 * @param options `enabled` false if it shall not be asked now
 */
export const useOperatorScopes = (
  options: { readonly enabled?: boolean; readonly staleTime?: number } = {},
) =>
  useQuery({
    ...options,
    queryKey: ['operator', 'entry'],
    queryFn: async (): Promise<readonly OperatorScope[]> => {
      const verdicts = await gatehouse.can(null, [...OF_OPERATORS]);
      // A sign-in that is too old hides nothing: the operation asks to confirm it.
      return OF_OPERATORS.filter(
        (scope) => verdicts[scope].allowed || verdicts[scope].code === 'authentication_insufficient',
      );
    },
  });

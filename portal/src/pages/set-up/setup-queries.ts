import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { anonymous } from '../../session/gatehouse.ts';
import { setupToken } from '../../session/mailed-token.ts';
import { queryClient } from '../../session/queries.ts';
import { useList } from '../../ui/list.tsx';

export type Setup = components['schemas']['SetupResponse'];
export type SetupConnection = components['schemas']['SetupConnectionResponse'];
export type Directory = components['schemas']['SetupDirectoryResponse'];

const KEY = ['set-up'] as const;

/** Headers of a request by the link. */
export const byLink = () => ({ headers: { authorization: `Bearer ${setupToken() ?? ''}` } });

/** Reads again what the page shows. */
export const refreshSetup = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

/** Reads what the link is for, and its connection. */
export const useSetup = () =>
  useQuery({
    queryKey: [...KEY, 'link'],
    queryFn: async () => (await anonymous.get('/api/v1/iam/setup', byLink())).data,
  });

/** Reads the domains of the organization, of which there are few. */
export const useSetupDomains = () =>
  useList([...KEY, 'domains'], async () => {
    const { items } = (await anonymous.get('/api/v1/iam/setup/domains', byLink())).data;
    return { items, nextCursor: null };
  });

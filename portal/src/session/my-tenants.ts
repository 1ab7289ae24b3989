import type { components } from '@gatehouse/client';
import { useList } from '../ui/list.tsx';
import { gatehouse } from './gatehouse.ts';

type MyTenant = components['schemas']['MyTenantResponse'];

/** The end of the id, which tells organizations of one name apart; null for a unique name. */
export const distinctionOf = ({ id, name }: MyTenant, all: readonly MyTenant[]): string | null =>
  all.some((other) => other.id !== id && other.name === name) ? id.slice(-6) : null;

/** Reads the user's organizations. */
export const useMyTenants = () =>
  useList(
    ['tenants'],
    async (cursor) => (await gatehouse.get('/api/v1/iam/me/tenants', { params: { query: { cursor } } })).data,
  );

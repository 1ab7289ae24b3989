import type { components } from '@gatehouse/client';
import { useList } from '../ui/list.tsx';
import { acting } from './acting.ts';
import { gatehouse } from './gatehouse.ts';

type MyTenant = components['schemas']['MyTenantResponse'];

/** The end of the id, which tells organizations of one name apart; null for a unique name. */
export const distinctionOf = ({ id, name }: MyTenant, all: readonly MyTenant[]): string | null =>
  all.some((other) => other.id !== id && other.name === name) ? id.slice(-6) : null;

/** Reads the user's organizations. An operator who acts as the user is in one of them alone. */
export const useMyTenants = () =>
  useList(['tenants'], async (cursor) => {
    const { data } = await gatehouse.get('/api/v1/iam/me/tenants', { params: { query: { cursor } } });
    const items = data.items.filter(({ id }) => acting === null || id === acting.tenantId);
    return { ...data, items };
  });

import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';

export type Account = components['schemas']['ServiceAccountResponse'];

export const ONE = '/api/v1/iam/tenants/{id}/service-accounts/{accountId}';

export const keyOfAccounts = (tenantId: string) => ['organization', tenantId, 'service-accounts'];

/** Key of the keys of a service account, those that are accepted and those that have ended. */
export const keyOfKeys = (tenantId: string, accountId: string) => [
  'organization',
  tenantId,
  'keys',
  accountId,
];

/** Path of the page of a service account. */
export const pathOfAccount = (tenantId: string, accountId: string): string =>
  pathIn(PAGE_PATHS.serviceAccount, tenantId).replace(':accountId', accountId);

/** Reads a service account. */
export const useAccount = (tenantId: string, accountId: string) =>
  useQuery({
    queryKey: [...keyOfAccounts(tenantId), accountId],
    queryFn: async () => (await gatehouse.get(ONE, { params: { path: { id: tenantId, accountId } } })).data,
  });

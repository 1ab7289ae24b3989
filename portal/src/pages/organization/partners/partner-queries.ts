import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useWhole } from '../../../ui/list.tsx';

export type Partnership = components['schemas']['PartnershipResponse'];
export type PartnerAccess = components['schemas']['PartnerAccessResponse'];

export const HOSTED = '/api/v1/iam/tenants/{id}/partnerships';
export const HOSTED_ONE = `${HOSTED}/{partnershipId}` as const;
export const ACCESS = '/api/v1/iam/tenants/{id}/partner-access';
export const ACCESS_ONE = `${ACCESS}/{partnershipId}` as const;

const keyOf = (tenantId: string) => ['organization', tenantId, 'partners'] as const;

/** Reads what the organization offers to partners. */
export const usePartnerships = (tenantId: string) =>
  useWhole(
    [...keyOf(tenantId), 'offered'],
    async (query) => (await gatehouse.get(HOSTED, { params: { path: { id: tenantId }, query } })).data,
  );

/** Reads what other organizations offer this one. */
export const usePartnerAccess = (tenantId: string) =>
  useWhole(
    [...keyOf(tenantId), 'access'],
    async (query) => (await gatehouse.get(ACCESS, { params: { path: { id: tenantId }, query } })).data,
  );

/** Reads the people on a partnership of the host. */
export const usePeopleOfPartner = (tenantId: string, partnershipId: string) =>
  useQuery({
    queryKey: [...keyOf(tenantId), 'offered', partnershipId],
    queryFn: async () =>
      (await gatehouse.get(HOSTED_ONE, { params: { path: { id: tenantId, partnershipId } } })).data.people,
  });

/** Reads the members of the partner who are on a partnership. */
export const useOwnPeople = (tenantId: string, partnershipId: string) =>
  useQuery({
    queryKey: [...keyOf(tenantId), 'access', partnershipId],
    queryFn: async () =>
      (await gatehouse.get(ACCESS_ONE, { params: { path: { id: tenantId, partnershipId } } })).data.people,
  });

/** Reads the lists of partners again, after a change. */
export const readPartnersAgain = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(tenantId) });

/** Name of the partner; before it has accepted, whom the offer was made to. */
export const nameOfPartner = ({ partner, email, tenantSlug }: Partnership): string =>
  partner?.name ?? email ?? tenantSlug ?? text('partners.unknown');

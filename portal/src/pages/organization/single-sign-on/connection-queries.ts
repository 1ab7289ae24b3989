import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { useLocale } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList, useWhole } from '../../../ui/list.tsx';
import { subjectOf } from '../organization-queries.ts';

export type Connection = components['schemas']['ConnectionResponse'];
export type Kind = Connection['kind'];
export type Settings = components['schemas']['ConnectionSettingsDto'];
export type Change = components['schemas']['ConnectionChangeResponse'];
export type Certificate = components['schemas']['CertificateResponse'];
export type Domain = components['schemas']['DomainResponse'];
export type Rule = components['schemas']['RuleDto'];
export type StartedTest = components['schemas']['StartedTestResponse'];
export type Test = components['schemas']['TestResponse'];
/** A test as its page shows it; a set-up link sees no roles. */
export type ShownTest = Omit<Test, 'roles'> & Partial<Pick<Test, 'roles'>>;

/** Pause between reads of a test whose sign-in is not finished. */
const POLL_MS = 2_000;
const UPDATE = 'iam:connection:update';
const ONE = '/api/v1/iam/tenants/{id}/connections/{connectionId}';

/** Path parameters of a connection. */
export const pathOf = (tenantId: string, connectionId: string) => ({
  path: { id: tenantId, connectionId },
});

/** Path of the page of a connection. */
export const pageOfConnection = (tenantId: string, id: string): string =>
  pathIn(PAGE_PATHS.connection, tenantId).replace(':connectionId', id);

const keys = {
  all: (tenantId: string) => ['organization', tenantId, 'single-sign-on'] as const,
  one: (tenantId: string, id: string) => [...keys.all(tenantId), 'connection', id] as const,
  rules: (tenantId: string, id: string) => ['organization', tenantId, 'connection-rules', id] as const,
};

/** Reads again what the pages of single sign-on show. */
export const refreshConnections = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.all(tenantId) });

/** @param enabled false if the user may not read them */
export const useConnections = (tenantId: string, enabled = true) =>
  useWhole(
    [...keys.all(tenantId), 'list'],
    async (query) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/connections', {
          params: { path: { id: tenantId }, query },
        })
      ).data,
    { enabled },
  );

/** @param enabled false if the user may not read them */
export const useDomains = (tenantId: string, enabled: boolean) =>
  useList(
    [...keys.all(tenantId), 'domains'],
    async (cursor) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/domains', {
          params: { path: { id: tenantId }, query: { cursor } },
        })
      ).data,
    { enabled },
  );

export const useSetupLinks = (tenantId: string) =>
  useList(
    [...keys.all(tenantId), 'setup-links'],
    async (cursor) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/setup-links', {
          params: { path: { id: tenantId }, query: { cursor } },
        })
      ).data,
  );

export const useConnection = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'connection'],
    queryFn: async () => (await gatehouse.get(ONE, { params: pathOf(tenantId, id) })).data,
  });

export const useRecentSignIns = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'sign-ins'],
    queryFn: async () => (await gatehouse.get(`${ONE}/sign-ins`, { params: pathOf(tenantId, id) })).data,
  });

/** Scopes of which the page says why they are denied. */
type Judged = 'iam:connection:update' | 'iam:connection:confirm' | 'iam:connection:activate';

/** Reads why the user cannot do something to a connection now; null if they can. */
export function useDenial(tenantId: string, id: string, scope: Judged) {
  const locale = useLocale();
  return useQuery({
    queryKey: [...keys.one(tenantId, id), 'denial', scope, locale],
    queryFn: async () => {
      const verdict = (await gatehouse.can(subjectOf('connections', id), [scope]))[scope];
      // A sign-in that is too old is no obstacle: the command asks to confirm it.
      const isDenied = !verdict.allowed && verdict.code !== 'authentication_insufficient';
      return isDenied ? (verdict.reason ?? '') : null;
    },
  });
}

/** Reads a test sign-in, again and again until it is finished in the other tab. */
export function useTest(testId: string, read: () => Promise<ShownTest>) {
  const locale = useLocale();
  return useQuery({
    queryKey: ['test-sign-in', testId, locale],
    queryFn: read,
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? POLL_MS : false),
  });
}

/** Whether the user may change a connection without being asked to confirm it. */
export const useMayChangeNow = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'may-change'],
    queryFn: async () => (await gatehouse.can(subjectOf('connections', id), [UPDATE]))[UPDATE].allowed,
  });

/**
 * Reads the rules. That takes a recent sign-in, so that nothing reads them again without a cause:
 * the page would ask to confirm it.
 */
export const useRules = (tenantId: string, id: string, enabled: boolean) =>
  useQuery({
    queryKey: keys.rules(tenantId, id),
    queryFn: async () => (await gatehouse.get(`${ONE}/rules`, { params: pathOf(tenantId, id) })).data.items,
    enabled,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Reads the rules again. */
export const refreshRules = (tenantId: string, id: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.rules(tenantId, id) });

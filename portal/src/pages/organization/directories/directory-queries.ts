import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList, useWhole } from '../../../ui/list.tsx';

export type Directory = components['schemas']['DirectoryResponse'];
export type DirectoryToken = components['schemas']['DirectoryTokenResponse'];
export type DirectoryUser = components['schemas']['DirectoryUserResponse'];
export type Call = components['schemas']['DirectoryCallResponse'];
export type Rule = components['schemas']['DirectoryRuleDto'];

/** A rule; with its group and the number of members it concerns, if the user may see that. */
export type ShownRule = Rule & { readonly groupId?: string | null; readonly members?: number };

/** Pause between reads of the calls. */
const POLL_MS = 5_000;
const ONE = '/api/v1/iam/tenants/{id}/directories/{directoryId}';

/** Path parameters of a directory. */
export const pathOf = (tenantId: string, directoryId: string) => ({
  path: { id: tenantId, directoryId },
});

const keys = {
  all: (tenantId: string) => ['organization', tenantId, 'directories'] as const,
  one: (tenantId: string, id: string) => [...keys.all(tenantId), id] as const,
};

/** Reads again what the pages of directories show. */
export const refreshDirectories = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.all(tenantId) });

export const useDirectories = (tenantId: string) =>
  useWhole(
    [...keys.all(tenantId), 'list'],
    async (query) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/directories', {
          params: { path: { id: tenantId }, query },
        })
      ).data,
  );

export const useDirectory = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'directory'],
    queryFn: async () => (await gatehouse.get(ONE, { params: pathOf(tenantId, id) })).data,
  });

export const useTokens = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'tokens'],
    queryFn: async () => (await gatehouse.get(`${ONE}/tokens`, { params: pathOf(tenantId, id) })).data.items,
  });

/** What of the people of a directory is listed. */
export interface PeopleFilter {
  readonly query?: string;
  readonly state?: DirectoryUser['state'];
  readonly groupId?: string;
}

export const useDirectoryUsers = (tenantId: string, id: string, filter: PeopleFilter) =>
  useList(
    [...keys.one(tenantId, id), 'users', filter],
    async (cursor) =>
      (
        await gatehouse.get(`${ONE}/users`, {
          params: { ...pathOf(tenantId, id), query: { ...filter, cursor } },
        })
      ).data,
  );

/** How many people of a directory are in each of these states. */
export const useStateCounts = (tenantId: string, id: string, states: readonly DirectoryUser['state'][]) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'users', 'counts'],
    queryFn: () =>
      Promise.all(
        states.map(async (state) => {
          const query = { state, limit: 1 };
          const { data } = await gatehouse.get(`${ONE}/users`, {
            params: { ...pathOf(tenantId, id), query },
          });
          return [state, data.total ?? 0] as const;
        }),
      ),
  });

/** Most groups that can be chosen from: one request. */
const MAX_GROUPS = 100;

export const useDirectoryGroups = (tenantId: string, id: string) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'groups'],
    queryFn: async () =>
      (
        await gatehouse.get(`${ONE}/groups`, {
          params: { ...pathOf(tenantId, id), query: { limit: MAX_GROUPS } },
        })
      ).data.items,
  });

/** Reads the calls, again and again: they come while a provider is being set up. */
export const useCalls = (tenantId: string, id: string) =>
  useList(
    [...keys.one(tenantId, id), 'calls'],
    async (cursor) =>
      (await gatehouse.get(`${ONE}/log`, { params: { ...pathOf(tenantId, id), query: { cursor } } })).data,
    { pollMs: POLL_MS, isChanging: () => true },
  );

/**
 * The rules, and what each of them does now.
 * @param mayChange whether the user may see that
 */
export const useRules = (tenantId: string, id: string, mayChange: boolean) =>
  useQuery({
    queryKey: [...keys.one(tenantId, id), 'rules'],
    queryFn: async () => {
      const { rules } = (await gatehouse.get(`${ONE}/rules`, { params: pathOf(tenantId, id) })).data;
      return mayChange ? previewRules(tenantId, id, rules) : rules;
    },
  });

/** Returns rules with the group and the number of members of each. */
export async function previewRules(
  tenantId: string,
  id: string,
  rules: readonly Rule[],
): Promise<ShownRule[]> {
  const body = { rules: rules.map(({ group, roles, on = null }) => ({ group, roles: [...roles], on })) };
  const previewed = (await gatehouse.post(`${ONE}/rules/preview`, { params: pathOf(tenantId, id), body }))
    .data.rules;
  return body.rules.map((rule, n): ShownRule => ({ ...rule, ...previewed[n] }));
}

/** Path of the page of a directory. */
export const pageOfDirectory = (tenantId: string, id: string): string =>
  pathIn(PAGE_PATHS.directory, tenantId).replace(':directoryId', id);

/** Subject of a directory, as the permission check names it. */
export const subjectOfDirectory = (id: string): string => `gatehouse:///iam/directories/${id}`;

import { useMutation, useQuery } from '@tanstack/react-query';
import type { components, Scope } from '@gatehouse/client';
import { text, useLocale } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { useList } from '../../ui/list.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { TrailFilter } from '../trail/trail-filters.tsx';

export type FoundPerson = components['schemas']['FoundPersonResponse'];
export type OperatedPerson = components['schemas']['PersonResponse'];
export type Operator = components['schemas']['OperatorResponse'];
export type OperatorPermission = components['schemas']['OperatorPermissionResponse'];
export type Job = components['schemas']['JobResponse'];
export type PermissionModule = components['schemas']['PermissionModuleResponse'];

/** Query keys begin alike, so that what an operator does refreshes all that is shown. */
const key = (...parts: readonly unknown[]) => ['operator', ...parts];

export const pathOfPerson = (userId: string): string => PAGE_PATHS.operatorPerson.replace(':userId', userId);
export const pathOfOrganization = (tenantId: string): string =>
  PAGE_PATHS.operatorOrganization.replace(':operatedId', tenantId);

/** Subject of the permission check. */
export const subjectOf = (collection: string, id: string): string =>
  `gatehouse:///platform/${collection}/${id}`;

export const refreshAll = (): Promise<void> => queryClient.invalidateQueries({ queryKey: key() });

/** Runs a command, shows what it changed, and says that it is done. */
export function useAction(run: () => Promise<unknown>) {
  const say = useToast();
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      await refreshAll();
      say(text('operator.done'));
    },
  });
}

/** Names a person in a list; by the end of the id without address and name. */
export const nameOf = ({ email, name, userId }: Pick<FoundPerson, 'email' | 'name' | 'userId'>) =>
  email ?? name ?? `…${userId.slice(-6)}`;

/** Title of a person: the name, which people know, before the address. */
export const shownName = (person: Pick<FoundPerson, 'email' | 'name' | 'userId'>) =>
  person.name ?? nameOf(person);

interface Answer {
  readonly allowed: boolean;
  readonly code?: string;
  readonly reason?: string;
}

/**
 * Asks whether the operator may use an operation.
 * @returns as data why not; null if they may. A sign-in that is too old is no obstacle: the
 *   operation asks to confirm it.
 */
export const useDenial = (scope: Scope) =>
  useQuery({
    queryKey: key('denial', scope),
    queryFn: async () => {
      const verdicts = await gatehouse.can(null, [scope]);
      const { allowed, code, reason }: Answer = verdicts[scope] ?? { allowed: false };
      return allowed || code === 'authentication_insufficient' ? null : (reason ?? text('error.not-allowed'));
    },
  });

/** @param tenantId lists the members of this organization, whatever else is asked */
export const usePeople = (query: string, isSuspended: boolean, tenantId: string | null) =>
  useList(key('people', query, isSuspended, tenantId), async (cursor) => {
    const asked = isSuspended ? { status: 'suspended' as const } : query === '' ? {} : { query };
    const by = tenantId === null ? asked : { tenantId };
    return (await gatehouse.get('/api/v1/operator/people', { params: { query: { cursor, ...by } } })).data;
  });

export const usePerson = (userId: string) =>
  useQuery({
    queryKey: key('person', userId),
    queryFn: async () =>
      (await gatehouse.get('/api/v1/operator/people/{userId}', { params: { path: { userId } } })).data,
  });

export const useOrganizations = (query: string) =>
  useList(key('organizations', query), async (cursor) => {
    const asked = { cursor, ...(query !== '' && { query }) };
    return (await gatehouse.get('/api/v1/operator/tenants', { params: { query: asked } })).data;
  });

export const useOrganization = (tenantId: string) =>
  useQuery({
    queryKey: key('organization', tenantId),
    queryFn: async () =>
      (await gatehouse.get('/api/v1/operator/tenants/{tenantId}', { params: { path: { tenantId } } })).data,
  });

export const useOperators = () =>
  useList(
    key('operators'),
    async (cursor) =>
      (await gatehouse.get('/api/v1/operator/operators', { params: { query: { cursor } } })).data,
  );

/** Permissions to which operators can be restricted, with the least role that has each. */
export function useOperatorPermissions(): readonly OperatorPermission[] | undefined {
  const locale = useLocale();
  const { data } = useQuery({
    queryKey: key('permissions', locale),
    queryFn: async () => (await gatehouse.get('/api/v1/operator/permissions')).data.items,
  });
  return data;
}

export const useJobs = (isFailed: boolean) =>
  useQuery({
    queryKey: key('jobs', isFailed),
    queryFn: async () => {
      const query = isFailed ? { state: 'failed' as const } : {};
      return (await gatehouse.get('/api/v1/operator/jobs', { params: { query } })).data.items;
    },
  });

/** Pause between reads of the actions that run. */
const POLL_MS = 2_000;

export const useBulkActions = () =>
  useList(
    key('bulk'),
    async () => ({
      items: (await gatehouse.get('/api/v1/operator/bulk-actions')).data.items,
      nextCursor: null,
    }),
    { pollMs: POLL_MS, isChanging: (actions) => actions.some(({ state }) => state === 'running') },
  );

export const useImports = () =>
  useList(key('imports'), async () => ({
    items: (await gatehouse.get('/api/v1/operator/imports')).data.items,
    nextCursor: null,
  }));

type TrailPage = TrailFilter & { readonly limit?: number; readonly cursor?: string | undefined };

/** Reads a page of events. */
export const readPlatformTrail = async (query: TrailPage) =>
  (await gatehouse.get('/api/v1/operator/audit-events', { params: { query } })).data;

export const usePlatformTrail = (filter: TrailFilter) =>
  useList(key('trail', filter), (cursor) => readPlatformTrail({ ...filter, cursor }));

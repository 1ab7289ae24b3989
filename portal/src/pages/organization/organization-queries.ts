import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { components, paths } from '@gatehouse/client';
import { useLocale } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { useList, useWhole } from '../../ui/list.tsx';
import { mayRead } from './allowed.ts';

export type Member = components['schemas']['MemberResponse'];
export type Invitation = components['schemas']['InvitationResponse'];
export type Role = components['schemas']['RoleResponse'];
export type Permission = components['schemas']['PermissionResponse'];

type QueryOf<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } }
  ? NonNullable<Q>
  : never;
/** Filters and order of a list. */
export type MemberFilter = Omit<QueryOf<'/api/v1/iam/tenants/{id}/members'>, 'cursor' | 'limit'>;
export type TrailFilter = Omit<QueryOf<'/api/v1/iam/tenants/{id}/audit-events'>, 'cursor' | 'limit'>;
export type InvitationFilter = Omit<QueryOf<'/api/v1/iam/tenants/{id}/invitations'>, 'cursor' | 'limit'>;

/** Changes one field of a filter; undefined removes it. */
export function withField<F extends object, K extends keyof F>(
  filter: F,
  key: K,
  value: F[K] | undefined,
): F {
  const next = { ...filter };
  if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

const at = <F extends object = object>(tenantId: string, cursor: string | undefined, filter?: F) => ({
  params: { path: { id: tenantId }, query: { cursor, ...filter } },
});

/** Query keys begin with the organization, so that its queries are invalidated together. */
export const keys = {
  members: (tenantId: string) => ['organization', tenantId, 'members'] as const,
  invitations: (tenantId: string) => ['organization', tenantId, 'invitations'] as const,
  roles: (tenantId: string) => ['organization', tenantId, 'roles'] as const,
  tenant: (tenantId: string) => ['organization', tenantId, 'tenant'] as const,
  permissions: (tenantId: string, locale: string) =>
    ['organization', tenantId, 'permissions', locale] as const,
  trail: (tenantId: string) => ['organization', tenantId, 'trail'] as const,
};

export const useMembers = (tenantId: string, filter: MemberFilter = {}) =>
  useList(
    [...keys.members(tenantId), filter],
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/members', at(tenantId, cursor, filter))).data,
    { enabled: mayRead(tenantId, 'iam:member:read') },
  );

/** Most members of whom one request asks. */
const MAX_ASKED = 100;

/**
 * Reads which of the shown members have a second factor.
 * @returns undefined until it is known, and where the user may not see it
 */
export function useSecondFactors(
  tenantId: string,
  shown: readonly Pick<Member, 'userId'>[],
  enabled: boolean,
): ReadonlySet<string> | undefined {
  const userIds = shown.map(({ userId }) => userId);
  const { data } = useQuery({
    queryKey: [...keys.members(tenantId), 'second-factors', userIds],
    enabled: enabled && userIds.length > 0,
    queryFn: async () => {
      const found = new Set<string>();
      for (let start = 0; start < userIds.length; start += MAX_ASKED) {
        const { data: part } = await gatehouse.post(
          '/api/v1/iam/tenants/{id}/sign-in-policy/second-factors',
          {
            params: { path: { id: tenantId } },
            body: { userIds: userIds.slice(start, start + MAX_ASKED) },
          },
        );
        for (const userId of part.userIds) found.add(userId);
      }
      return found;
    },
    placeholderData: keepPreviousData, // while a page is added
  });
  return data;
}

export const useInvitations = (
  tenantId: string,
  filter: InvitationFilter = {},
  enabled = mayRead(tenantId, 'iam:invitation:read'),
) =>
  useList(
    [...keys.invitations(tenantId), filter],
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/invitations', at(tenantId, cursor, filter))).data,
    { enabled },
  );

export const useRoles = (tenantId: string) =>
  useWhole(
    keys.roles(tenantId),
    async (query) =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/roles', { params: { path: { id: tenantId }, query } }))
        .data,
    { enabled: mayRead(tenantId, 'iam:role:read') },
  );

/** All permissions that a role can hold, in the language of the user. */
export function usePermissions(tenantId: string): readonly Permission[] | undefined {
  const locale = useLocale();
  const { data } = useQuery({
    queryKey: keys.permissions(tenantId, locale),
    enabled: mayRead(tenantId, 'iam:role:read'),
    queryFn: async () =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}/permissions', { params: { path: { id: tenantId } } }))
        .data.items,
  });
  return data;
}

type TrailQuery = QueryOf<'/api/v1/iam/tenants/{id}/audit-events'>;

/** Reads a page of events. */
export const readTrail = async (tenantId: string, query: TrailQuery) =>
  (
    await gatehouse.get('/api/v1/iam/tenants/{id}/audit-events', {
      params: { path: { id: tenantId }, query },
    })
  ).data;

export const useTrail = (tenantId: string, filter: TrailFilter, enabled = true) =>
  useList([...keys.trail(tenantId), filter], (cursor) => readTrail(tenantId, { ...filter, cursor }), {
    enabled,
  });

export const useTenant = (tenantId: string) =>
  useQuery({
    queryKey: keys.tenant(tenantId),
    enabled: mayRead(tenantId, 'iam:tenant:read'),
    queryFn: async () =>
      (await gatehouse.get('/api/v1/iam/tenants/{id}', { params: { path: { id: tenantId } } })).data,
  });

/** Subject of an entity, as the permission check and the audit trail name it. */
export const subjectOf = (collection: string, id: string): string => `gatehouse:///iam/${collection}/${id}`;

/** Path of the page of a member. */
export const pageOfMember = (tenantId: string, userId: string): string =>
  pathIn(PAGE_PATHS.member, tenantId).replace(':userId', userId);

import { useQuery } from '@tanstack/react-query';
import type { Scope, Verdicts } from '@gatehouse/client';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';

/** Permissions that change what the pages of an organization show. */
export const ASKED = [
  'access:decision:read',
  'access:thing:read',
  'iam:access-request:create',
  'iam:access-request:decide',
  'iam:overview:read',
  'iam:member:update',
  'iam:invitation:read',
  'iam:invitation:create',
  'iam:member:read',
  'iam:partnership:read',
  'iam:partnership:create',
  'iam:partner-access:read',
  'iam:role:read',
  'iam:role:create',
  'iam:tenant:read',
  'iam:audit:read',
  'iam:client:read',
  'iam:client:create',
  'iam:client:update',
  'iam:connection:read',
  'iam:connection:create',
  'iam:connection:update',
  'iam:connection:activate',
  'iam:connection:test',
  'iam:domain:read',
  'iam:domain:create',
  'iam:domain:verify',
  'iam:directory:read',
  'iam:directory:create',
  'iam:directory:update',
  'iam:directory-token:create',
  'iam:service-account:read',
  'iam:service-account:create',
  'iam:service-account:update',
  'iam:api-key:create',
  'iam:trust-rule:create',
  'iam:key-policy:read',
  'iam:key-policy:update',
  'iam:setup-link:read',
  'iam:setup-link:create',
  'iam:sign-in-policy:read',
  'iam:station:read',
  'iam:station:create',
  'iam:worker:read',
  'iam:worker:create',
  'webhooks:subscription:read',
  'webhooks:subscription:create',
  'webhooks:delivery:read',
  'webhooks:delivery:redeliver',
] as const satisfies readonly Scope[];

/** Checks the user's permissions in the organization. */
export type Allowed = Readonly<Record<(typeof ASKED)[number], boolean>>;

/** Query key of what the user may do in an organization; read before any of its pages is shown. */
export const entryKey = (tenantId: string) => ['entry', tenantId] as const;

/** Whether the user holds a permission to read: without it, a page asks for nothing. */
export const mayRead = (tenantId: string, scope: keyof Allowed): boolean =>
  queryClient.getQueryData<{ readonly allowed: Allowed }>(entryKey(tenantId))?.allowed[scope] ?? true;

/** A sign-in that is too old hides nothing: the command asks to confirm it. */
export const mayTry = (verdict: Verdicts[Scope] | undefined): boolean =>
  verdict !== undefined && (verdict.allowed || verdict.code === 'authentication_insufficient');

/**
 * Checks what a single page offers for many entries.
 * @param enabled false while nothing is to be checked
 * @returns no to each until it is known
 */
export function useMayTry<S extends Scope>(
  tenantId: string,
  scopes: readonly S[],
  enabled = true,
): (scope: S) => boolean {
  const { data } = useQuery({
    enabled,
    queryKey: ['organization', tenantId, 'may', scopes],
    queryFn: () => gatehouse.can(null, scopes),
  });
  return (scope) => mayTry(data?.[scope]);
}

export interface OrganizationProps {
  readonly tenantId: string;
  readonly allowed: Allowed;
}

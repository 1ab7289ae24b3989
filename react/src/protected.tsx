'use client';

import type { Scope } from '@gatehouse/client';
import { Fragment, type ReactNode } from 'react';
import { useCan, useSession } from './hooks.js';
import type { Permission } from './permission-store.js';

export interface ProtectedProps {
  readonly children?: ReactNode;
  /** Shown to a user who is not signed in. */
  readonly fallback?: ReactNode;
  /** Shown on servers, and until the answer is known. */
  readonly loading?: ReactNode;
  /** Permission that the content requires, besides the sign-in. */
  readonly scope?: Scope;
  /** Subject of the permission. */
  readonly subject?: string | null;
  /** Shown to a user who does not have the permission, and if the check failed. */
  readonly denied?: ReactNode | ((permission: Permission) => ReactNode);
}

/**
 * Shows its content to a signed-in user. Mounts it again for another user, so that no state of the
 * user before is left. It hides content, and protects nothing by itself: the service refuses what
 * is not allowed.
 */
export function Protected({ fallback = null, loading = null, scope, ...props }: ProtectedProps) {
  const { status, sessionId } = useSession();
  if (status === 'loading') return loading;
  if (status === 'signed-out') return fallback;
  return (
    <Fragment key={sessionId}>
      {scope === undefined ? props.children : <Permitted {...props} scope={scope} loading={loading} />}
    </Fragment>
  );
}

function Permitted({
  scope,
  subject,
  children,
  loading,
  denied,
}: ProtectedProps & { readonly scope: Scope }): ReactNode {
  const permission = useCan(scope, subject);
  if (permission.status === 'loading') return loading;
  if (permission.allowed) return children;
  return typeof denied === 'function' ? denied(permission) : denied;
}

import type { Scope } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { usePermissions } from './organization-queries.ts';

interface Props {
  readonly tenantId: string;
  /** Permission without which this is not shown. */
  readonly scope: Scope;
}

/** Says which permission is missing to see a part of a page, and whom to ask for it. */
export function NotVisible({ tenantId, scope }: Props) {
  const permission = usePermissions(tenantId)?.find((one) => one.scope === scope);
  return (
    <p className="soft">
      {permission
        ? text('not-visible', { permission: permission.title, scope })
        : text('not-visible.scope', { scope })}
    </p>
  );
}

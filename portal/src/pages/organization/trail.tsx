import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { TrailList } from '../../ui/trail.tsx';
import { nameOf } from './members.tsx';
import { useMembers, useTrail } from './organization-queries.ts';

/**
 * Lists the audit events of the organization. An event has ids only; names are those of current
 * members.
 */
export function Trail({ tenantId }: { readonly tenantId: string }) {
  const trail = useTrail(tenantId);
  const { data: members = [] } = useMembers(tenantId);
  const { data: me } = useMe();
  const name = (userId: string): string => {
    if (userId === me?.id) return text('you');
    const member = members.find((one) => one.userId === userId);
    return member ? nameOf(member) : text('unknown-person', { id: userId.slice(-6) });
  };
  return (
    <Page title={text('nav.trail')} lead={text('trail.lead')}>
      <TrailList query={trail} nameOf={name} />
    </Page>
  );
}

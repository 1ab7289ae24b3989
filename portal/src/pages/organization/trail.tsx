import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { TrailList } from '../../ui/trail.tsx';
import { nameOf } from './members.tsx';
import { useMembers, useTrail } from './organization-queries.ts';

/** Who has done what in the organization. The trail itself knows ids alone; names are those of the members of today. */
export function Trail({ tenantId }: { readonly tenantId: string }) {
  const trail = useTrail(tenantId);
  const { data: members = [] } = useMembers(tenantId);
  const { data: me } = useMe();
  const name = (userId: string): string => {
    if (userId === me?.id) return 'You';
    const member = members.find((one) => one.userId === userId);
    return member ? nameOf(member) : `Somebody (${userId.slice(-6)})`;
  };
  return (
    <Page title="Audit trail" lead="Who has done what here. Nobody can change it.">
      <TrailList query={trail} nameOf={name} />
    </Page>
  );
}

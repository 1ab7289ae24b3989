import { gatehouse } from '../../session/gatehouse.ts';
import { useList } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { TrailList } from '../../ui/trail.tsx';

/** Lists the audit events of the user. */
export function MyTrail() {
  const trail = useList(
    ['my-trail'],
    async (cursor) =>
      (await gatehouse.get('/api/v1/iam/me/audit-events', { params: { query: { cursor } } })).data,
  );
  return (
    <Page title="Audit trail" lead="What you have done. If something here was not you, change your password.">
      <TrailList query={trail} nameOf={() => 'You'} />
    </Page>
  );
}

import { text } from '../../messages/index.ts';
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
    <Page title={text('nav.trail')} lead={text('trail.mine.lead')}>
      <TrailList query={trail} nameOf={() => text('trail.you')} />
    </Page>
  );
}

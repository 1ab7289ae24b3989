import { text } from '../../../messages/index.ts';
import { CountsOf } from '../../../ui/counts-of.tsx';
import { useRecentSignIns } from './connection-queries.ts';

/** Sign-ins by a connection in the last 30 days, and why some were refused. */
export function RecentSignIns({ tenantId, id }: { readonly tenantId: string; readonly id: string }) {
  const { data } = useRecentSignIns(tenantId, id);
  return data && <CountsOf name="connection-sign-in" title={text('connections.sign-ins')} chart={data} />;
}

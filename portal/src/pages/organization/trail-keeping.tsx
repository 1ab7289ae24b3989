import { useQuery } from '@tanstack/react-query';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Time } from '../../ui/time.tsx';
import { keys } from './organization-queries.ts';

interface Props {
  readonly tenantId: string;
}

/** Says for how long events are kept, and up to when the trail was verified. */
export function TrailKeeping({ tenantId }: Props) {
  const { data } = useQuery({
    queryKey: [...keys.trail(tenantId), 'retention'],
    queryFn: async () =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/audit-retention', {
          params: { path: { id: tenantId } },
        })
      ).data,
  });
  if (!data) return null;
  const { appliedDays, verifiedUntil } = data;
  return (
    <p className="hint">
      {appliedDays === null ? text('trail.kept') : text('trail.kept-days', { days: appliedDays })}
      {verifiedUntil !== null && (
        <> {rich('trail.verified', { time: () => <Time value={verifiedUntil} exact /> })}</>
      )}
    </p>
  );
}

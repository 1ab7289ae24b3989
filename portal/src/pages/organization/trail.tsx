import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { nameOfActor, TrailList } from '../../ui/trail.tsx';
import { TrailExport } from '../trail/trail-export.tsx';
import { readFilter, TrailFilters, useChosenInTrail } from '../trail/trail-filters.tsx';
import type { OrganizationProps } from './allowed.ts';
import { readTrail, useTrail } from './organization-queries.ts';
import { TrailKeeping } from './trail-keeping.tsx';

/** Lists the audit events of the organization. */
export function Trail({ tenantId, allowed }: OrganizationProps) {
  const [search] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const trail = useTrail(tenantId, filter);
  const { data: me } = useMe();
  return (
    <Page
      title={text('nav.trail')}
      lead={text('trail.lead')}
      action={<TrailExport readPage={(cursor, limit) => readTrail(tenantId, { ...filter, limit, cursor })} />}
    >
      <TrailKeeping tenantId={tenantId} />
      <TrailFilters events={trail.data ?? []} isSearched={allowed['iam:member:read']} isByAction />
      <TrailList
        query={trail}
        nameOf={(event) => nameOfActor(event, me?.id)}
        isFiltered={address !== ''}
        subjects={useChosenInTrail()}
      />
    </Page>
  );
}

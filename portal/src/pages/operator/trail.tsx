import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { nameOfActor, TrailList } from '../../ui/trail.tsx';
import { TrailExport } from '../trail/trail-export.tsx';
import { readFilter, TrailFilters, useChosenInTrail } from '../trail/trail-filters.tsx';
import { readPlatformTrail, usePlatformTrail } from './operator-queries.ts';

/** Filters of which the API needs one in addition to area and action. */
const NARROW = ['query', 'actorId', 'subject', 'tenantId'] as const;

/** The audit trail of the whole platform, with filters that are part of the address. */
export function PlatformTrail() {
  const [search] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const isNarrow = NARROW.some((field) => filter[field] !== undefined);
  const { from, to, by } = filter;
  const shown = isNarrow ? filter : { from, to, by };
  const trail = usePlatformTrail(shown);
  const { data: me } = useMe();
  const chosen = useChosenInTrail();
  return (
    <Page
      title={text('nav.trail')}
      lead={text('operator.trail.lead')}
      action={
        <TrailExport
          isOfPlatform
          readPage={(cursor, limit) => readPlatformTrail({ ...shown, limit, cursor })}
        />
      }
    >
      <TrailFilters events={trail.data ?? []} isSearched isByAction={isNarrow} />
      {!isNarrow && <p className="soft small">{text('operator.trail.narrow')}</p>}
      <TrailList
        query={trail}
        nameOf={(event) => nameOfActor(event, me?.id)}
        isFiltered={address !== ''}
        subjects={filter.tenantId === undefined ? chosen : { ...chosen, onTenant: undefined }}
      />
    </Page>
  );
}

import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { Page } from '../../ui/page.tsx';
import { TrailList } from '../../ui/trail.tsx';
import type { OrganizationProps } from './allowed.ts';
import { useTrail } from './organization-queries.ts';
import { TrailExport } from './trail-export.tsx';
import { readFilter, TrailFilters } from './trail-filters.tsx';
import { useNames } from './trail-names.ts';

/** Lists the audit events of the organization. */
export function Trail({ tenantId, allowed }: OrganizationProps) {
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const trail = useTrail(tenantId, filter);
  const names = useNames(tenantId, allowed['iam:invitation:read'], trail.data ?? []);
  const choose = (name: 'actor' | 'subject') => (value: string) =>
    setSearch(
      (others) => new URLSearchParams([...others].filter(([key]) => key !== name).concat([[name, value]])),
    );
  return (
    <Page
      title={text('nav.trail')}
      lead={text('trail.lead')}
      action={<TrailExport tenantId={tenantId} filter={filter} readNames={names.readFor} />}
    >
      <TrailFilters names={names} />
      <TrailList
        query={trail}
        nameOf={names.actor}
        isFiltered={address !== ''}
        subjects={{ nameOf: names.subject, onActor: choose('actor'), onSubject: choose('subject') }}
      />
    </Page>
  );
}

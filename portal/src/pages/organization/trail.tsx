import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { nameOfActor, TrailList } from '../../ui/trail.tsx';
import type { OrganizationProps } from './allowed.ts';
import { useTrail } from './organization-queries.ts';
import { TrailExport } from './trail-export.tsx';
import { readFilter, TrailFilters } from './trail-filters.tsx';
import { TrailKeeping } from './trail-keeping.tsx';

/** Lists the audit events of the organization. */
export function Trail({ tenantId, allowed }: OrganizationProps) {
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const trail = useTrail(tenantId, filter);
  const { data: me } = useMe();
  const names = {
    actor: (userId: string): string => {
      const event = trail.data?.find(({ actorId }) => actorId === userId);
      return event ? nameOfActor(event, me?.id) : text('unknown-person', { id: userId.slice(-6) });
    },
    subject: (path: string): string | null =>
      trail.data?.find(({ subject }) => subject === path)?.subjectName ?? null,
  };
  const choose = (name: 'actor' | 'subject' | 'by') => (value: string) =>
    setSearch(
      (others) => new URLSearchParams([...others].filter(([key]) => key !== name).concat([[name, value]])),
    );
  return (
    <Page
      title={text('nav.trail')}
      lead={text('trail.lead')}
      action={<TrailExport tenantId={tenantId} filter={filter} />}
    >
      <TrailKeeping tenantId={tenantId} />
      <TrailFilters names={names} isSearched={allowed['iam:member:read']} />
      <TrailList
        query={trail}
        nameOf={(event) => nameOfActor(event, me?.id)}
        isFiltered={address !== ''}
        subjects={{ onActor: choose('actor'), onSubject: choose('subject'), onAllowedBy: choose('by') }}
      />
    </Page>
  );
}

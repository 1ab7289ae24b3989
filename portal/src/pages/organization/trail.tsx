import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useMe } from '../../session/queries.ts';
import { Page } from '../../ui/page.tsx';
import { TrailList } from '../../ui/trail.tsx';
import type { OrganizationProps } from './allowed.ts';
import { nameOf } from './members.tsx';
import { useInvitations, useMembers, useRoles, useTrail } from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';
import { TrailExport } from './trail-export.tsx';
import { readFilter, TrailFilters } from './trail-filters.tsx';

/** Lists the audit events of the organization. */
export function Trail({ tenantId, allowed }: OrganizationProps) {
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(address)), [address]);
  const trail = useTrail(tenantId, filter);
  const names = useNames(tenantId, allowed['iam:invitation:read']);
  const choose = (name: 'actor' | 'subject') => (value: string) =>
    setSearch(
      (others) => new URLSearchParams([...others].filter(([key]) => key !== name).concat([[name, value]])),
    );
  return (
    <Page
      title={text('nav.trail')}
      lead={text('trail.lead')}
      action={
        <TrailExport
          tenantId={tenantId}
          filter={filter}
          nameOf={names.person}
          nameOfSubject={names.subject}
        />
      }
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

/**
 * Names of the ids in events, which have no others: those of current members, roles and
 * invitations.
 */
function useNames(tenantId: string, readsInvitations: boolean) {
  const { data: me } = useMe();
  const { data: members = [] } = useMembers(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const { data: invitations = [] } = useInvitations(tenantId, {}, readsInvitations);
  const actor = (userId: string): string => (userId === me?.id ? text('trail.you') : person(userId));
  const person = (userId: string): string => {
    const member = members.find((one) => one.userId === userId);
    return member ? nameOf(member) : text('unknown-person', { id: userId.slice(-6) });
  };
  /** @returns the name of what an event is about; null for the organization and the unknown */
  const subject = (path: string): string | null => {
    const [, collection, id = ''] = path.split('/');
    if (collection === 'members') return actor(id);
    if (collection === 'invitations') return invitations.find((one) => one.id === id)?.email ?? null;
    const role = collection === 'roles' && roles.find((one) => one.id === id);
    return role ? (roleNames(roles, [role.key])[0] ?? null) : null;
  };
  return { actor, person, subject };
}

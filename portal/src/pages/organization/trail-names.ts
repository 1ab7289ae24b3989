import { useQueries } from '@tanstack/react-query';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { nameOf } from './member-name.ts';
import { keys, useInvitations, useMembers, useRoles } from './organization-queries.ts';

/** What names need of an event. */
export interface NamedEvent {
  readonly actorId: string;
  readonly subject: string | null;
}

/** Subjects whose names are read one by one where the first page of their list lacks them. */
const READ_ALONE = /^iam\/(members|invitations)\//;
/** Most names that an export reads one by one: a fifth of what a minute allows. */
const MAX_READ = 200;

/** The name of a subject that is read alone; null if it is gone, or closed to the user. */
const nameQuery = (tenantId: string, subject: string) => ({
  queryKey: [...keys.tenant(tenantId), 'name', subject],
  queryFn: () => readName(tenantId, subject),
  staleTime: 300_000,
});

async function readName(tenantId: string, subject: string): Promise<string | null> {
  const [, collection, key = ''] = subject.split('/');
  try {
    if (collection === 'members') {
      const path = { id: tenantId, userId: key };
      const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/members/{userId}', { params: { path } });
      return nameOf(data);
    }
    const path = { id: tenantId, invitationId: key };
    const { data } = await gatehouse.get('/api/v1/iam/tenants/{id}/invitations/{invitationId}', {
      params: { path },
    });
    return data.email;
  } catch (error) {
    if (error instanceof ProblemError && [403, 404].includes(error.status)) return null;
    throw error;
  }
}

const subjectOfPerson = (userId: string): string => `iam/members/${userId}`;
const subjectsIn = (events: readonly NamedEvent[]): string[] => [
  ...new Set(
    events
      .flatMap(({ actorId, subject }) => [subjectOfPerson(actorId), subject ?? ''])
      .filter((subject) => READ_ALONE.test(subject)),
  ),
];

/** Names of the ids in events, which have no others: those of members, roles and invitations. */
export function useNames(tenantId: string, readsInvitations: boolean, events: readonly NamedEvent[]) {
  const { data: me } = useMe();
  const { data: members } = useMembers(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const invitations = useInvitations(tenantId, {}, readsInvitations);
  const listed = new Map<string, string>([
    ...(members ?? []).map((one) => [subjectOfPerson(one.userId), nameOf(one)] as const),
    ...(invitations.data ?? []).map((one) => [`iam/invitations/${one.id}`, one.email] as const),
    ...roles.map((one) => [`iam/roles/${one.id}`, one.name] as const),
  ]);
  const isListed = members !== undefined && (invitations.data !== undefined || !readsInvitations);
  const missing = isListed ? subjectsIn(events).filter((subject) => !listed.has(subject)) : [];
  const read = useQueries({ queries: missing.map((subject) => nameQuery(tenantId, subject)) });
  read.forEach(({ data }, n) => data && listed.set(missing[n] ?? '', data));

  const named = (subject: string): string | null => listed.get(subject) ?? null;
  const person = (userId: string): string =>
    named(subjectOfPerson(userId)) ?? text('unknown-person', { id: userId.slice(-6) });
  const actor = (userId: string): string => (userId === me?.id ? text('trail.you') : person(userId));
  return {
    actor,
    person,
    /** @returns the name of what an event is about; null for the organization and the unknown */
    subject: (path: string): string | null =>
      path.startsWith('iam/members/') ? actor(path.slice('iam/members/'.length)) : named(path),
    /** Reads the names of further events. @returns the name of a subject; null for the unknown */
    readFor: async (further: readonly NamedEvent[]): Promise<(subject: string) => string | null> => {
      const found = new Map(listed);
      const unknown = subjectsIn(further).filter((subject) => !found.has(subject));
      for (const subject of unknown.slice(0, MAX_READ)) {
        const name = await queryClient.fetchQuery(nameQuery(tenantId, subject));
        if (name !== null) found.set(subject, name);
      }
      return (subject) => found.get(subject) ?? null;
    },
  };
}

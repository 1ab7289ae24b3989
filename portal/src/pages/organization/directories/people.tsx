import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { keptQuery } from '../../../session/kept-query.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Table, type Column } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { pageOfMember, withField } from '../organization-queries.ts';
import {
  refreshDirectories,
  useDirectoryGroups,
  useDirectoryUsers,
  useStateCounts,
  type Directory,
  type DirectoryUser,
  type PeopleFilter,
} from './directory-queries.ts';

type State = DirectoryUser['state'];

const KINDS = { pending: 'care', linked: 'good', refused: 'bad' } as const;
const STATES = Object.keys(KINDS) as State[];
const ANY = 'any';

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly mayRetry: boolean;
}

/** Lists the people that a directory has sent, and why some of them are no members. */
export function People({ tenantId, directory: { id }, mayRetry }: Props) {
  const [filter, setFilter] = useState<PeopleFilter>(() =>
    withField<PeopleFilter, 'query'>({}, 'query', keptQuery.read() || undefined),
  );
  const users = useDirectoryUsers(tenantId, id, filter);
  const { data: groups = [] } = useDirectoryGroups(tenantId, id);
  const { data: counts = [] } = useStateCounts(tenantId, id, STATES);
  const counted = counts.filter(([, count]) => count > 0);
  const search = useCallback(
    (query: string) => setFilter((others) => withField(others, 'query', query || undefined)),
    [],
  );
  return (
    <section className="stack" aria-labelledby="directory-people">
      <h2 id="directory-people">{text('directories.people')}</h2>
      {counted.length > 0 && (
        <p className="soft small">
          {counted
            .map(([state, members]) =>
              text('directories.group.option', { name: text(`directories.state.${state}`), members }),
            )
            .join(' · ')}
        </p>
      )}
      <div className="filters" role="search">
        <SearchField label={text('directories.people.search')} onSearch={search} isKept />
        <SelectField
          label={text('directories.state')}
          options={[
            [ANY, text('directories.state.any')],
            ...STATES.map((one) => [one, text(`directories.state.${one}`)] as const),
          ]}
          value={filter.state ?? ANY}
          onChange={(one) =>
            setFilter((others) => withField(others, 'state', one === ANY ? undefined : (one as State)))
          }
        />
        {groups.length > 0 && (
          <SelectField
            label={text('directories.group')}
            options={[
              [ANY, text('directories.group.any')],
              ...groups.map((group) => [group.id, text('directories.group.option', group)] as const),
            ]}
            value={filter.groupId ?? ANY}
            onChange={(one) =>
              setFilter((others) => withField(others, 'groupId', one === ANY ? undefined : one))
            }
          />
        )}
      </div>
      <Table
        query={users}
        label={text('directories.people')}
        count={(count) => text('directories.people.count', { count })}
        keyOf={(user) => user.id}
        empty={
          <Empty
            title={text(
              Object.keys(filter).length > 0 ? 'directories.people.no-match' : 'directories.people.empty',
            )}
          />
        }
        columns={columnsOf(tenantId, id, mayRetry).filter(
          ({ key }) => key !== 'reason' || users.data?.some(({ reason }) => reason !== null),
        )}
      />
    </section>
  );
}

function columnsOf(tenantId: string, directoryId: string, mayRetry: boolean): Column<DirectoryUser>[] {
  return [
    {
      key: 'name',
      label: text('directories.people.name'),
      cell: ({ name, userName, userId, reason }) => (
        <>
          {userId === null ? (
            <strong>{name ?? userName}</strong>
          ) : (
            <Link href={pageOfMember(tenantId, userId)} className="name">
              {name ?? userName}
            </Link>
          )}
          <span className="under">{userName}</span>
          {reason !== null && <span className="under">{text(`directories.reason.${reason}`)}</span>}
        </>
      ),
    },
    {
      key: 'user-name',
      label: text('directories.people.user-name'),
      isWide: true,
      cell: ({ userName }) => <span title={userName}>{userName}</span>,
    },
    {
      key: 'state',
      label: text('directories.state'),
      cell: ({ state, status }) => (
        <span className="row">
          <Badge kind={KINDS[state]}>{text(`directories.state.${state}`)}</Badge>
          {status === 'inactive' && <Badge>{text('directories.inactive')}</Badge>}
        </span>
      ),
    },
    {
      key: 'reason',
      label: text('directories.reason'),
      isWide: true,
      cell: ({ reason }) =>
        reason !== null && (
          <span className="clamped" title={text(`directories.reason.${reason}`)}>
            {text(`directories.reason.${reason}`)}
          </span>
        ),
    },
    {
      key: 'changed',
      label: text('directories.people.changed'),
      isWide: true,
      cell: ({ updatedAt }) => <Time value={updatedAt} />,
    },
    {
      key: 'retry',
      label: text('table.actions'),
      isLabelHidden: true,
      cell: (user) =>
        mayRetry &&
        (user.state !== 'linked' || user.reason !== null) && (
          <span className="end-cell">
            <Retry tenantId={tenantId} directoryId={directoryId} user={user} />
          </span>
        ),
    },
  ];
}

interface RetryProps {
  readonly tenantId: string;
  readonly directoryId: string;
  readonly user: DirectoryUser;
}

function Retry({ tenantId, directoryId, user: { id, userName } }: RetryProps) {
  const say = useToast();
  const retry = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/directories/{directoryId}/users/{userId}/retry', {
        params: { path: { id: tenantId, directoryId, userId: id } },
      }),
    onSuccess: async () => {
      await refreshDirectories(tenantId);
      say(text('directories.retried', { name: userName }));
    },
    onError: () => say(text('directories.not-retried')),
  });
  return (
    <Button
      small
      isPending={retry.isPending}
      aria-label={text('directories.retry-of', { name: userName })}
      onPress={() => retry.mutate()}
    >
      {text('directories.retry')}
    </Button>
  );
}

import { useCallback, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Cross } from '../../ui/icons.tsx';
import { useSelection } from '../../ui/bulk.tsx';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { BulkHistory, PeopleBar, useBulkKinds } from './bulk.tsx';
import { type FoundPerson, pathOfPerson, shownName, useOrganization, usePeople } from './operator-queries.ts';

/** Finds people of the platform. */
export function People() {
  const [query, setQuery] = useState(keptQuery.read);
  const [status, setStatus] = useState('any');
  const [address, setAddress] = useSearchParams();
  const tenantId = address.get('tenant');
  const people = usePeople(query, status === 'suspended', tenantId);
  const selection = useSelection(people, ({ userId }) => userId);
  const search = useCallback((typed: string) => setQuery(typed), []);
  const kinds = useBulkKinds();
  return (
    <Page title={text('operator.people')} lead={text('operator.people.lead')}>
      {tenantId !== null ? (
        <MembersOf tenantId={tenantId} onClear={() => setAddress({})} />
      ) : (
        <div className="filters">
          <SearchField label={text('operator.people.search')} onSearch={search} isKept />
          <SelectField
            label={text('operator.status')}
            options={[
              ['any', text('operator.status.any')],
              ['suspended', text('operator.suspended')],
            ]}
            value={status}
            onChange={setStatus}
          />
        </div>
      )}
      <PeopleBar
        kinds={kinds}
        userIds={selection.items.map(({ userId }) => userId)}
        onClear={selection.clear}
      />
      <Table
        query={people}
        label={text('operator.people')}
        count={(count) => text('list.shown', { count })}
        keyOf={({ userId }) => userId}
        columns={columnsOfPeople()}
        {...(kinds.length > 0 && {
          selection: {
            ...selection.table,
            labelOf: (person: FoundPerson) => text('table.select', { name: shownName(person) }),
          },
        })}
        empty={<Empty title={text('operator.people.none')} lead={text('operator.people.none.text')} />}
      />
      <BulkHistory />
    </Page>
  );
}

interface MembersOfProps {
  readonly tenantId: string;
  readonly onClear: () => void;
}

/** Says whose members are listed, and ends it. */
function MembersOf({ tenantId, onClear }: MembersOfProps) {
  const { data } = useOrganization(tenantId);
  return (
    <div className="row">
      <Button small onPress={onClear}>
        {text('operator.people.members-of', { name: data?.name ?? `…${tenantId.slice(-6)}` })} <Cross />
      </Button>
    </div>
  );
}

const columnsOfPeople = (): readonly Column<FoundPerson>[] => [
  {
    key: 'name',
    label: text('name'),
    cell: (person) => (
      <>
        <Link href={pathOfPerson(person.userId)} className="name">
          {shownName(person)}
        </Link>
        {person.name !== null && person.email !== null && (
          <span className="under">
            <Address value={person.email} />
          </span>
        )}
        {person.status === 'suspended' && <span className="under">{text('operator.suspended')}</span>}
      </>
    ),
  },
  {
    key: 'email',
    label: text('members.email'),
    isWide: true,
    cell: ({ email }) => <span title={email ?? undefined}>{email ?? '–'}</span>,
  },
  {
    key: 'status',
    label: text('operator.status'),
    isWide: true,
    cell: ({ status }) =>
      status === 'suspended' ? (
        <Badge kind="bad">{text('operator.suspended')}</Badge>
      ) : (
        text('members.status.active')
      ),
  },
  {
    key: 'since',
    label: text('operator.people.since'),
    isWide: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];

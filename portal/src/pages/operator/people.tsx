import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOf, pathOfPerson, usePeople } from './operator-queries.ts';

/** Finds people of the platform. */
export function People() {
  const [query, setQuery] = useState(keptQuery.read);
  const [status, setStatus] = useState('any');
  const people = usePeople(query, status === 'suspended');
  const search = useCallback((typed: string) => setQuery(typed), []);
  return (
    <Page title={text('operator.people')} lead={text('operator.people.lead')}>
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
      <List
        query={people}
        label={text('operator.people')}
        count={(count) => text('list.shown', { count })}
        keyOf={({ userId }) => userId}
        empty={<Empty title={text('operator.people.none')} />}
      >
        {(person) => (
          <Link href={pathOfPerson(person.userId)} className="item item-link">
            <Avatar name={person.name ?? nameOf(person)} />
            <span className="what">
              <strong>{person.name ?? nameOf(person)}</strong>
              <span className="soft small">
                {person.name !== null && person.email !== null && `${person.email} · `}
                {rich('operator.since', { time: () => <Time value={person.createdAt} /> })}
              </span>
            </span>
            <span className="end">
              {person.status === 'suspended' && <Badge kind="bad">{text('operator.suspended')}</Badge>}
            </span>
          </Link>
        )}
      </List>
    </Page>
  );
}

import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Time } from '../../ui/time.tsx';
import { pathOfOrganization, useOrganizations } from './operator-queries.ts';

/** Finds organizations of the platform. */
export function OperatedOrganizations() {
  const [query, setQuery] = useState(keptQuery.read);
  const organizations = useOrganizations(query);
  const search = useCallback((typed: string) => setQuery(typed), []);
  return (
    <Page title={text('organizations')} lead={text('operator.organizations.lead')}>
      <div className="filters">
        <SearchField label={text('operator.organizations.search')} onSearch={search} isKept />
      </div>
      <List
        query={organizations}
        label={text('organizations')}
        count={(count) => text('list.shown', { count })}
        keyOf={({ id }) => id}
        empty={<Empty title={text('operator.organizations.none')} />}
      >
        {({ id, name, status, createdAt }) => (
          <Link href={pathOfOrganization(id)} className="item item-link">
            <Avatar name={name} />
            <span className="what">
              <strong>{name}</strong>
              <span className="soft small">
                {rich('operator.since', { time: () => <Time value={createdAt} /> })} · <code>{id}</code>
              </span>
            </span>
            <span className="end">
              {status === 'archived' && <Badge kind="care">{text('organizations.archived')}</Badge>}
            </span>
          </Link>
        )}
      </List>
    </Page>
  );
}

import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { pathOfOrganization, useOrganizations } from './operator-queries.ts';

type Found = components['schemas']['FoundTenantResponse'];

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
      <Table
        query={organizations}
        label={text('organizations')}
        count={(count) => text('list.shown', { count })}
        keyOf={({ id }) => id}
        columns={columnsOfOrganizations()}
        empty={<Empty title={text('operator.organizations.none')} />}
      />
    </Page>
  );
}

const columnsOfOrganizations = (): readonly Column<Found>[] => [
  {
    key: 'name',
    label: text('name'),
    cell: ({ id, name, slug, status }) => (
      <>
        <Link href={pathOfOrganization(id)} className="name" title={name}>
          {name}
        </Link>
        {slug !== undefined && <span className="under">{slug}</span>}
        {status === 'archived' && <span className="under">{text('organizations.archived')}</span>}
      </>
    ),
  },
  { key: 'slug', label: text('settings.slug'), isWide: true, cell: ({ slug }) => slug ?? '–' },
  {
    key: 'id',
    label: text('operator.organizations.id'),
    isWide: true,
    cell: ({ id }) => <code>{id}</code>,
  },
  {
    key: 'status',
    label: text('operator.status'),
    isWide: true,
    cell: ({ status }) =>
      status === 'archived' ? (
        <Badge kind="care">{text('organizations.archived')}</Badge>
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

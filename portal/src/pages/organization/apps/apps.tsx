import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { AppLogo } from '../../../ui/app-logo.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import { createdColumn, statusColumn } from '../columns.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { AppActions } from './app-actions.tsx';
import { AppForm } from './app-form.tsx';
import { type OrganizationApp, useApps } from './app-queries.ts';
import { SamlAppForm } from './saml-app.tsx';

const typeOf = ({ protocol, type }: OrganizationApp): string =>
  text(protocol === 'saml' ? 'apps.saml' : `apps.column.type.${type}`);

/** Lists the apps to which the members of an organization sign in. */
export function Apps({ tenantId, allowed }: OrganizationProps) {
  const { table, isSearched } = useWholeTable(useApps(tenantId), {
    by: { name: ({ name }) => name, type: typeOf, created: ({ createdAt }) => createdAt },
    first: 'name',
    textOf: ({ name, clientId }) => `${name} ${clientId}`,
  });
  const [creating, setCreating] = useState<OrganizationApp['protocol'] | null>(null);
  return (
    <Page
      title={text('nav.apps')}
      lead={text('apps.lead')}
      action={
        allowed['iam:client:create'] && (
          <div className="row">
            <Button onPress={() => setCreating('saml')}>{text('apps.saml.new')}</Button>
            <Button look="primary" onPress={() => setCreating('openid')}>
              {text('apps.new')}
            </Button>
          </div>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('apps.search')} isKept />
      </div>
      <Table
        {...table}
        label={text('nav.apps')}
        count={(count) => text('apps.count', { count })}
        keyOf={({ clientId }) => clientId}
        columns={columnsOf(tenantId)}
        empty={
          isSearched ? (
            <Empty title={text('apps.none-found')} />
          ) : (
            <Empty title={text('apps.empty')} lead={text('apps.empty.text')} />
          )
        }
      />
      {creating === 'openid' && <AppForm tenantId={tenantId} onClose={() => setCreating(null)} />}
      {creating === 'saml' && <SamlAppForm tenantId={tenantId} onClose={() => setCreating(null)} />}
    </Page>
  );
}

const columnsOf = (tenantId: string): Column<OrganizationApp>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: (app) => (
      <>
        <AppLogo url={app.logoUrl} />
        <Link
          href={pathIn(PAGE_PATHS.app, tenantId).replace(':clientId', app.clientId)}
          className="name"
          title={app.name}
        >
          {app.name}
        </Link>
        <span className="under">{typeOf(app)}</span>
        {app.status === 'disabled' && <span className="under">{text('service-accounts.disabled')}</span>}
      </>
    ),
  },
  { key: 'type', label: text('apps.column.type'), sort: 'type', isWide: true, cell: typeOf },
  {
    key: 'consent',
    label: text('apps.consent.title-short'),
    isWide: true,
    cell: ({ memberConsent }) =>
      text(memberConsent ? 'apps.column.consent.given' : 'apps.column.consent.each'),
  },
  {
    key: 'logout',
    label: text('apps.logout'),
    isWide: true,
    cell: ({ logoutReach }) => (
      <span title={text(`apps.logout-reach.${logoutReach}`)}>
        {text(`apps.column.logout.${logoutReach}`)}
      </span>
    ),
  },
  statusColumn(),
  createdColumn(),
  {
    key: 'menu',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (app) => (
      <span className="end-cell">
        <AppActions tenantId={tenantId} app={app} />
      </span>
    ),
  },
];

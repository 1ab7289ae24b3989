import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Empty } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import { createdColumn } from '../columns.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf } from '../organization-queries.ts';
import { ApiClients } from './api-clients.tsx';
import { ApiForm } from './api-form.tsx';
import { type OrganizationApi, refreshApis, useApis } from './api-queries.ts';
import { CreateCredential } from './create-credential.tsx';

type Doing =
  | { readonly what: 'create' }
  | { readonly what: 'change' | 'clients' | 'credential' | 'delete'; readonly api: OrganizationApi };

/** Lists and changes the APIs of an organization, and what its apps reach of them. */
export function Apis({ tenantId, allowed }: OrganizationProps) {
  const { table, isSearched } = useWholeTable(useApis(tenantId), {
    by: {
      name: ({ name }) => name,
      identifier: ({ identifier }) => identifier,
      created: ({ createdAt }) => createdAt,
    },
    first: 'name',
    textOf: (api) => `${api.name} ${api.identifier} ${scopesOf(api)}`,
  });
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.apis')}
      lead={text('apis.lead')}
      action={
        allowed['iam:client:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'create' })}>
            {text('apis.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('apis.search')} isKept />
      </div>
      <Table
        {...table}
        label={text('nav.apis')}
        count={(count) => text('apis.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId, setDoing)}
        empty={
          isSearched ? (
            <Empty title={text('apis.none-found')} />
          ) : (
            <Empty title={text('apis.empty')} lead={text('apis.empty.text')} />
          )
        }
      />
      {doing?.what === 'create' && <ApiForm tenantId={tenantId} onClose={close} />}
      {doing?.what === 'change' && <ApiForm tenantId={tenantId} api={doing.api} onClose={close} />}
      {doing?.what === 'clients' && <ApiClients tenantId={tenantId} api={doing.api} onClose={close} />}
      {doing?.what === 'credential' && (
        <CreateCredential tenantId={tenantId} api={doing.api} onClose={close} />
      )}
      {doing?.what === 'delete' && <Delete tenantId={tenantId} api={doing.api} onClose={close} />}
    </Page>
  );
}

const scopesOf = ({ scopes }: OrganizationApi): string =>
  scopes.length === 0 ? text('apis.no-scopes') : scopes.map(({ name }) => name).join(', ');

const columnsOf = (tenantId: string, onDo: (doing: Doing) => void): Column<OrganizationApi>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: (api) => (
      <>
        <strong>{api.name}</strong>
        <span className="under">{api.identifier}</span>
        <span className="under">{scopesOf(api)}</span>
      </>
    ),
  },
  {
    key: 'identifier',
    label: text('apis.identifier'),
    sort: 'identifier',
    isWide: true,
    cell: ({ identifier }) => <span title={identifier}>{identifier}</span>,
  },
  {
    key: 'scopes',
    label: text('apis.scopes'),
    isWide: true,
    cell: (api) => <span title={scopesOf(api)}>{scopesOf(api)}</span>,
  },
  createdColumn(),
  {
    key: 'menu',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (api) => (
      <span className="end-cell">
        <ActionMenu
          label={text('service-accounts.actions', { name: api.name })}
          subject={subjectOf('client-registries', tenantId)}
          actions={[
            {
              label: text('apis.change'),
              scope: 'iam:client:update',
              run: () => onDo({ what: 'change', api }),
            },
            {
              label: text('apis.reach'),
              scope: 'iam:client:update',
              run: () => onDo({ what: 'clients', api }),
            },
            {
              label: text('apis.credential'),
              scope: 'iam:client:rotate-secret',
              run: () => onDo({ what: 'credential', api }),
            },
            {
              label: text('apis.delete'),
              scope: 'iam:client:delete',
              danger: true,
              run: () => onDo({ what: 'delete', api }),
            },
          ]}
        />
      </span>
    ),
  },
];

interface DeleteProps {
  readonly tenantId: string;
  readonly api: OrganizationApi;
  readonly onClose: () => void;
}

function Delete({ tenantId, api: { id: apiId, name }, onClose }: DeleteProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/apis/{apiId}', {
        params: { path: { id: tenantId, apiId } },
      }),
    onSuccess: async () => {
      await refreshApis(tenantId);
      onClose();
      say(text('apis.deleted', { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('apis.delete.title', { name })}
      confirm={text('apis.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('apis.delete.text')}</p>
    </ConfirmDialog>
  );
}

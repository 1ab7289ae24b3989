import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { useAddressField } from '../../../session/address-field.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Empty, useWhole } from '../../../ui/list.tsx';
import { Page } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import { statusColumn } from '../columns.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { subjectOf, useRoles } from '../organization-queries.ts';
import { roleNames } from '../role-choice.tsx';
import { AccountForm } from './account-form.tsx';
import { KeyPolicy } from './key-policy.tsx';
import { keyOfAccounts, ONE, pathOfAccount, type Account } from './service-account-queries.ts';

type Doing =
  { readonly what: 'create' } | { readonly what: 'delete' | 'disable' | 'enable'; readonly account: Account };

const ANY = '*';
const STATUSES = ['active', 'disabled'] as const satisfies readonly Account['status'][];

/** Lists and changes the members of an organization that are programs. */
export function ServiceAccounts({ tenantId, allowed }: OrganizationProps) {
  const [query] = useAddressField('q');
  const [chosen, setStatus] = useAddressField('status');
  const status = STATUSES.find((one) => one === chosen);
  const filter = { ...(query !== null && { query }), ...(status && { status }) };
  const accounts = useWhole(
    [...keyOfAccounts(tenantId), filter],
    async (page) =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/service-accounts', {
          params: { path: { id: tenantId }, query: { ...page, ...filter } },
        })
      ).data,
  );
  const { table } = useWholeTable(accounts, {
    by: {
      name: ({ name }) => name,
      contact: ({ contact }) => contact ?? '',
      used: ({ lastUsedAt }) => lastUsedAt ?? '',
    },
    first: 'name',
  });
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.service-accounts')}
      lead={text('service-accounts.lead')}
      action={
        allowed['iam:service-account:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'create' })}>
            {text('service-accounts.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('service-accounts.search')} isKept />
        <SelectField
          label={text('members.status')}
          options={[
            [ANY, text('members.any-status')],
            ['active', text('members.status.active')],
            ['disabled', text('service-accounts.disabled')],
          ]}
          value={status ?? ANY}
          onChange={(one) => setStatus(one === ANY ? null : one)}
        />
      </div>
      <Table
        {...table}
        label={text('nav.service-accounts')}
        count={(count) => text('service-accounts.count', { count })}
        keyOf={({ id }) => id}
        columns={useColumns(tenantId, setDoing)}
        empty={
          Object.keys(filter).length > 0 ? (
            <Empty title={text('service-accounts.none-found')} />
          ) : (
            <Empty title={text('service-accounts.empty')} lead={text('service-accounts.empty.text')} />
          )
        }
      />
      {allowed['iam:key-policy:read'] && (
        <KeyPolicy tenantId={tenantId} mayChange={allowed['iam:key-policy:update']} />
      )}
      {doing?.what === 'create' && <AccountForm tenantId={tenantId} onClose={close} />}
      {doing !== null && doing.what !== 'create' && (
        <Change tenantId={tenantId} account={doing.account} what={doing.what} onClose={close} />
      )}
    </Page>
  );
}

type OnDo = (doing: Doing) => void;

function useColumns(tenantId: string, onDo: OnDo): Column<Account>[] {
  const { data: roles = [] } = useRoles(tenantId);
  const namesOf = (account: Account) => roleNames(roles, account.roles).join(', ');
  return [
    {
      key: 'name',
      label: text('name'),
      sort: 'name',
      cell: (account) => (
        <>
          <Link href={pathOfAccount(tenantId, account.id)} className="name">
            {account.name}
          </Link>
          <span className="under">{namesOf(account)}</span>
          {account.status === 'disabled' && (
            <span className="under">{text('service-accounts.disabled')}</span>
          )}
        </>
      ),
    },
    { key: 'roles', label: text('roles'), isWide: true, cell: namesOf },
    {
      key: 'contact',
      label: text('service-accounts.contact'),
      sort: 'contact',
      isWide: true,
      cell: ({ contact }) => contact ?? '–',
    },
    statusColumn(),
    {
      key: 'used',
      label: text('service-accounts.last-used'),
      sort: 'used',
      isWide: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="soft">{text('keys.never-used')}</span>
        ) : (
          <Time value={lastUsedAt} />
        ),
    },
    {
      key: 'menu',
      label: text('table.actions'),
      isLabelHidden: true,
      cell: (account) => (
        <span className="end-cell">
          <AccountMenu account={account} onDo={onDo} />
        </span>
      ),
    },
  ];
}

function AccountMenu({ account, onDo }: { readonly account: Account; readonly onDo: OnDo }) {
  const { id, name, status } = account;
  const run = (what: 'delete' | 'disable' | 'enable') => () => onDo({ what, account });
  return (
    <ActionMenu
      label={text('service-accounts.actions', { name })}
      subject={subjectOf('service-accounts', id)}
      actions={[
        status === 'active'
          ? {
              label: text('service-accounts.disable'),
              scope: 'iam:service-account:disable',
              run: run('disable'),
            }
          : {
              label: text('service-accounts.enable'),
              scope: 'iam:service-account:enable',
              run: run('enable'),
            },
        {
          label: text('service-accounts.delete'),
          scope: 'iam:service-account:delete',
          danger: true,
          run: run('delete'),
        },
      ]}
    />
  );
}

interface ChangeProps {
  readonly tenantId: string;
  readonly account: Account;
  readonly what: 'delete' | 'disable' | 'enable';
  readonly onClose: () => void;
}

function Change({ tenantId, account: { id: accountId, name }, what, onClose }: ChangeProps) {
  const say = useToast();
  const change = useMutation({
    mutationFn: async () => {
      const params = { path: { id: tenantId, accountId } };
      if (what === 'delete') await gatehouse.delete(ONE, { params });
      else if (what === 'disable') await gatehouse.post(`${ONE}/disable`, { params });
      else await gatehouse.post(`${ONE}/enable`, { params });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOfAccounts(tenantId) });
      onClose();
      say(text(`service-accounts.done.${what}`, { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text(`service-accounts.${what}.title`, { name })}
      confirm={text(`service-accounts.${what}`)}
      action={change}
      isOpen
      onClose={onClose}
    >
      <p>{text(`service-accounts.${what}.text`)}</p>
    </ConfirmDialog>
  );
}

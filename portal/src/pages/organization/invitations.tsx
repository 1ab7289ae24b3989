import { useMutation } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useSearchParams } from 'wouter';
import { text, type MessageId } from '../../messages/index.ts';
import { useOrder } from '../../session/address-field.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useSelection } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/explain.ts';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { InvitationBar, sendAgain, withdraw } from './invitation-bulk.tsx';
import { InviteMembers } from './invite-members.tsx';
import {
  keys,
  subjectOf,
  useInvitations,
  useRoles,
  withField,
  type Invitation,
  type InvitationFilter,
} from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';

type Status = Invitation['status'];

const KINDS = { open: 'care', accepted: 'good', revoked: '', expired: '' } as const;
const STATUSES = Object.keys(KINDS) as Status[];
/** Columns by which the list is sorted. */
const ORDERS = ['email', 'createdAt'] as const;
const ANY = 'any';

/** Lists and creates invitations. */
export function Invitations({ tenantId, allowed }: OrganizationProps) {
  const [filter, setFilter] = useState<InvitationFilter>(() =>
    withField<InvitationFilter, 'query'>({ status: 'open' }, 'query', keptQuery.read() || undefined),
  );
  const [search, setSearch] = useSearchParams();
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const inviting = search.has('new') && allowed['iam:invitation:create'];
  const invite = () => setSearch((kept) => new URLSearchParams([...kept, ['new', '']]));
  const close = () =>
    setSearch((kept) => new URLSearchParams([...kept].filter(([name]) => name !== 'new')), { replace: true });
  return (
    <Page
      title={text('nav.invitations')}
      lead={text('invitations.lead')}
      action={
        allowed['iam:invitation:create'] && (
          <Button look="primary" onPress={invite}>
            {text('members.invite')}
          </Button>
        )
      }
    >
      <Filter filter={filter} setFilter={setFilter} />
      <Found tenantId={tenantId} filter={filter} revoke={setRevoking} />
      {inviting && <InviteMembers tenantId={tenantId} onClose={close} />}
      {revoking && <Revoke tenantId={tenantId} invitation={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  );
}

interface FilterProps {
  readonly filter: InvitationFilter;
  readonly setFilter: (change: (filter: InvitationFilter) => InvitationFilter) => void;
}

function Filter({ filter: shown, setFilter }: FilterProps) {
  const search = useCallback(
    (query: string) => setFilter((filter) => withField(filter, 'query', query || undefined)),
    [setFilter],
  );
  const choose = (status: string) =>
    setFilter((filter) => withField(filter, 'status', status === ANY ? undefined : (status as Status)));
  return (
    <div className="filters" role="search">
      <SearchField label={text('invitations.search')} onSearch={search} isKept />
      <SelectField
        label={text('invitations.status')}
        options={[
          ...STATUSES.map((status): [string, string] => [status, text(`invitations.${status}`)]),
          [ANY, text('invitations.any-status')],
        ]}
        value={shown.status ?? ANY}
        onChange={choose}
      />
    </div>
  );
}

interface FoundProps {
  readonly tenantId: string;
  readonly filter: InvitationFilter;
  readonly revoke: (invitation: Invitation) => void;
}

function Found({ tenantId, filter, revoke }: FoundProps) {
  const [sort, onSort] = useOrder(ORDERS, '-createdAt');
  const invitations = useInvitations(tenantId, { ...filter, sort });
  const selection = useSelection(invitations, ({ id }) => id);
  const isAny = filter.status === 'open' && filter.query === undefined;
  const nothing: MessageId = isAny ? 'invitations.empty' : 'invitations.none';
  return (
    <>
      <InvitationBar tenantId={tenantId} invitations={selection.items} onClear={selection.clear} />
      <Table
        query={invitations}
        label={text('nav.invitations')}
        count={(count) => text('invitations.count', { count })}
        keyOf={({ id }) => id}
        columns={useColumns(tenantId, revoke)}
        sort={sort}
        onSort={onSort}
        selection={{
          ...selection.table,
          labelOf: ({ email }) => text('table.select', { name: email }),
        }}
        empty={<Empty title={text(nothing)} lead={isAny ? text('invitations.empty.text') : undefined} />}
      />
    </>
  );
}

function useColumns(tenantId: string, revoke: FoundProps['revoke']): Column<Invitation>[] {
  const { data: roles = [] } = useRoles(tenantId);
  return [
    {
      key: 'name',
      label: text('members.email'),
      sort: 'email',
      cell: ({ email, status, roles: given }) => (
        <>
          <strong title={email}>{email}</strong>
          <span className="under">
            {[roleNames(roles, given).join(', '), text(`invitations.${status}`)].join(' · ')}
          </span>
        </>
      ),
    },
    {
      key: 'roles',
      label: text('roles'),
      isWide: true,
      cell: (invitation) => roleNames(roles, invitation.roles).join(', '),
    },
    {
      key: 'status',
      label: text('invitations.status'),
      isWide: true,
      cell: ({ status }) => <Badge kind={KINDS[status]}>{text(`invitations.${status}`)}</Badge>,
    },
    {
      key: 'sent',
      label: text('invitations.sent-at'),
      sort: 'createdAt',
      isWide: true,
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
    {
      key: 'expires',
      label: text('invitations.expires'),
      isWide: true,
      cell: ({ status, expiresAt }) => (status === 'open' ? <Time value={expiresAt} /> : '–'),
    },
    {
      key: 'menu',
      label: text('table.actions'),
      isLabelHidden: true,
      cell: (invitation) =>
        (invitation.status === 'open' || invitation.status === 'expired') && (
          <span className="end-cell">
            <InvitationMenu tenantId={tenantId} invitation={invitation} revoke={revoke} />
          </span>
        ),
    },
  ];
}

interface MenuProps extends Pick<FoundProps, 'tenantId' | 'revoke'> {
  readonly invitation: Invitation;
}

function InvitationMenu({ tenantId, invitation, revoke }: MenuProps) {
  const say = useToast();
  const resend = useMutation({
    mutationFn: () => sendAgain(tenantId, invitation),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) });
      say(text('invitations.resent', { email: invitation.email }));
    },
    onError: (error) => {
      const { title, text: detail } = explain(error);
      say(`${title}. ${detail}`);
    },
  });
  return (
    <ActionMenu
      label={text('invitations.actions', { email: invitation.email })}
      subject={subjectOf('invitations', invitation.id)}
      actions={[
        {
          label: text('invitations.resend'),
          scope: 'iam:invitation:resend',
          run: () => resend.mutate(),
        },
        {
          label: text('invitations.revoke'),
          scope: 'iam:invitation:revoke',
          danger: true,
          run: () => revoke(invitation),
        },
      ]}
    />
  );
}

interface RevokeProps {
  readonly tenantId: string;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

function Revoke({ tenantId, invitation, onClose }: RevokeProps) {
  const say = useToast();
  const revoke = useMutation({
    mutationFn: () => withdraw(tenantId, invitation),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) });
      onClose();
      say(text('invitations.revoked-done'));
    },
  });
  return (
    <ConfirmDialog
      title={text('invitations.revoke.title')}
      confirm={text('invitations.revoke')}
      action={revoke}
      isOpen
      onClose={onClose}
    >
      <p>{text('invitations.revoke.text', { email: invitation.email })}</p>
    </ConfirmDialog>
  );
}

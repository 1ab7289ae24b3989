import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { text } from '../../messages/index.ts';
import { useAddressField } from '../../session/address-field.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { useSelection } from '../../ui/bulk.tsx';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { EndsSoon } from './ends-soon.tsx';
import { MemberBar } from './member-bulk.tsx';
import { ChangeRoles, Remove, Suspend } from './member-dialogs.tsx';
import { MemberExport } from './member-export.tsx';
import { nameOf, sourceOf } from './member-name.ts';
import {
  keys,
  pageOfMember,
  subjectOf,
  useMembers,
  useRoles,
  useSecondFactors,
  type Member,
  type MemberFilter,
  type Role,
} from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';

export type Doing = { readonly what: 'roles' | 'suspend' | 'remove'; readonly member: Member };

const NEWEST = '-joinedAt';
const ANY = '*'; // no key of a role
const STATUSES = ['active', 'suspended'] as const satisfies readonly Member['status'][];
const SOURCES = ['manual', 'connection', 'directory'] as const satisfies readonly Member['source'][];
/** Parts of the filter, by their names in the address of the page; `q` is the search. */
const FIELDS = ['sort', 'role', 'status', 'source'] as const;

/** Reads the filter in the address of the page, where reload, Back and a link keep it. */
function filterIn(address: URLSearchParams): MemberFilter {
  const fields = FIELDS.map((name) => [name, address.get(name)] as const);
  const given = Object.fromEntries([['query', address.get('q')], ...fields].filter(([, value]) => value));
  return { sort: NEWEST, ...given };
}

/** Lists members, with what can be done with one or several of them. */
export function Members({ tenantId, allowed }: OrganizationProps) {
  const [search] = useSearchParams();
  const address = search.toString();
  const filter = useMemo(() => filterIn(new URLSearchParams(address)), [address]);
  const members = useMembers(tenantId, filter);
  const { data: roles = [] } = useRoles(tenantId);
  const selection = useSelection(members, ({ userId }) => userId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const columns = useColumns({ tenantId, allowed, roles, shown: members.data ?? [], setDoing });
  const [, setSort] = useAddressField('sort');
  return (
    <Page
      title={text('nav.members')}
      lead={text('members.lead')}
      action={
        <div className="row">
          <MemberExport tenantId={tenantId} filter={filter} />
          {allowed['iam:invitation:create'] && (
            <Link href={`${pathIn(PAGE_PATHS.invitations, tenantId)}?new`} className="button primary">
              {text('members.invite')}
            </Link>
          )}
        </div>
      }
    >
      {allowed['iam:member:update'] && <EndsSoon tenantId={tenantId} roles={roles} />}
      <Filters filter={filter} roles={roles} />
      <MemberBar tenantId={tenantId} members={selection.items} roles={roles} onClear={selection.clear} />
      <Table
        query={members}
        label={text('nav.members')}
        count={(count) => text('members.count', { count })}
        keyOf={({ userId }) => userId}
        empty={<Empty title={text('members.empty')} lead={text('members.empty.text')} />}
        columns={columns}
        sort={filter.sort}
        onSort={setSort}
        selection={{
          ...selection.table,
          labelOf: (member) => text('table.select', { name: nameOf(member) }),
        }}
      />
      {doing?.what === 'roles' && <ChangeRoles tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'suspend' && <Suspend tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <Remove tenantId={tenantId} member={doing.member} onClose={close} />}
    </Page>
  );
}

function useFilter(name: (typeof FIELDS)[number]): (value: string) => void {
  const [, set] = useAddressField(name);
  return (value) => set(value === ANY ? null : value);
}

function Filters({ filter, roles }: { readonly filter: MemberFilter; readonly roles: readonly Role[] }) {
  return (
    <div className="filters" role="search">
      <SearchField label={text('members.search')} isKept />
      <SelectField
        label={text('members.role')}
        options={[
          [ANY, text('members.any-role')],
          ...roles.map((role): [string, string] => [role.key, nameOfRole(role)]),
        ]}
        value={filter.role ?? ANY}
        onChange={useFilter('role')}
      />
      <SelectField
        label={text('members.status')}
        options={[
          [ANY, text('members.any-status')],
          ...STATUSES.map((status) => [status, text(`members.status.${status}`)] as const),
        ]}
        value={filter.status ?? ANY}
        onChange={useFilter('status')}
      />
      <SelectField
        label={text('members.source')}
        options={[
          [ANY, text('members.any-source')],
          ...SOURCES.map((source) => [source, text(`members.source.${source}`)] as const),
        ]}
        value={filter.source ?? ANY}
        onChange={useFilter('source')}
      />
    </div>
  );
}

interface ColumnsOf extends OrganizationProps {
  readonly roles: readonly Role[];
  readonly shown: readonly Member[];
  readonly setDoing: (doing: Doing) => void;
}

function useColumns({ tenantId, allowed, roles, shown, setDoing }: ColumnsOf): Column<Member>[] {
  const { data: me } = useMe();
  const mayReadFactors = allowed['iam:sign-in-policy:read'];
  const withFactor = useSecondFactors(tenantId, shown, mayReadFactors);
  return [
    {
      key: 'name',
      label: text('name'),
      sort: 'name',
      cell: (member) => (
        <>
          <Link href={pageOfMember(tenantId, member.userId)} className="name">
            {nameOf(member)}
          </Link>{' '}
          {member.userId === me?.id && <Badge>{text('you')}</Badge>}
          {member.email !== null && (
            <span className="under">
              <Address value={member.email} />
            </span>
          )}
          <span className="under">{roleNames(roles, member.roles).join(', ')}</span>
          {member.status === 'suspended' && <span className="under">{text('members.status.suspended')}</span>}
        </>
      ),
    },
    {
      key: 'email',
      label: text('members.email'),
      sort: 'email',
      isWide: true,
      cell: ({ email }) => <span title={email ?? undefined}>{email ?? '–'}</span>,
    },
    {
      key: 'roles',
      label: text('roles'),
      isWide: true,
      cell: (member) => {
        const names = roleNames(roles, member.roles).join(', ');
        return <span title={names}>{names}</span>;
      },
    },
    {
      key: 'status',
      label: text('members.status'),
      isWide: true,
      cell: ({ status, until }) =>
        status === 'suspended' ? (
          <Badge kind="bad">{text('members.status.suspended')}</Badge>
        ) : until === null ? (
          text('members.status.active')
        ) : (
          <Badge kind="care">
            {text('members.until')} <Time value={until} />
          </Badge>
        ),
    },
    {
      key: 'source',
      label: text('members.source'),
      isWide: true,
      cell: sourceOf,
    },
    ...(mayReadFactors
      ? [
          {
            key: 'factor',
            label: text('members.factor'),
            isWide: true,
            cell: ({ userId, status }: Member) =>
              withFactor === undefined || status === 'suspended'
                ? '–'
                : text(withFactor.has(userId) ? 'members.factor.yes' : 'members.factor.no'),
          },
        ]
      : []),
    {
      key: 'active',
      label: text('members.last-active'),
      isWide: true,
      cell: ({ lastActiveAt }) =>
        lastActiveAt === null ? (
          <span className="soft">{text('members.never')}</span>
        ) : (
          <Time value={lastActiveAt} />
        ),
    },
    {
      key: 'menu',
      label: text('table.actions'),
      isLabelHidden: true,
      cell: (member) => (
        <span className="end-cell">
          <MemberMenu tenantId={tenantId} member={member} setDoing={setDoing} />
        </span>
      ),
    },
  ];
}

interface MenuProps {
  readonly tenantId: string;
  readonly member: Member;
  readonly setDoing: (doing: Doing) => void;
}

/** What can be done with a member. */
export function MemberMenu({ tenantId, member, setDoing }: MenuProps) {
  const restore = useRestore(tenantId, member);
  return (
    <ActionMenu
      label={text('members.actions', { name: nameOf(member) })}
      subject={subjectOf('members', member.userId)}
      actions={[
        {
          label: text('members.change-roles'),
          scope: 'iam:member:update',
          run: () => setDoing({ what: 'roles', member }),
        },
        member.status === 'active'
          ? {
              label: text('members.suspend'),
              scope: 'iam:member:suspend',
              danger: true,
              run: () => setDoing({ what: 'suspend', member }),
            }
          : {
              label: text('members.restore'),
              scope: 'iam:member:restore',
              run: () => restore.mutate(),
            },
        {
          label: text('members.remove'),
          scope: 'iam:member:remove',
          danger: true,
          run: () => setDoing({ what: 'remove', member }),
        },
      ]}
    />
  );
}

function useRestore(tenantId: string, member: Member) {
  const say = useToast();
  return useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/members/{userId}/restore', {
        params: { path: { id: tenantId, userId: member.userId } },
      }),
    onSuccess: async () => {
      say(text('members.restored', { name: nameOf(member) }));
      await queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });
    },
    onError: (error) => say(String(error)),
  });
}

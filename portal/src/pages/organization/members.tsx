import { useMutation } from '@tanstack/react-query';
import { Fragment, useCallback, useState } from 'react';
import { Link } from 'wouter';
import { rich, text } from '../../messages/index.ts';
import { keptQuery } from '../../session/kept-query.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Address } from '../../ui/address.tsx';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { EndsSoon } from './ends-soon.tsx';
import { ChangeRoles, Remove, Suspend } from './member-dialogs.tsx';
import { nameOf } from './member-name.ts';
import {
  keys,
  subjectOf,
  useMembers,
  useRoles,
  withField,
  type Member,
  type MemberFilter,
  type Role,
} from './organization-queries.ts';
import { roleNames } from './role-choice.tsx';

type Doing = { readonly what: 'roles' | 'suspend' | 'remove'; readonly member: Member };

const SOURCES = { connection: 'members.source.connection', directory: 'members.source.directory' } as const;

const NEWEST = '-joinedAt';
const ANY_ROLE = '*'; // no key of a role

/** Lists members, with their roles. */
export function Members({ tenantId, allowed }: OrganizationProps) {
  const [filter, setFilter] = useState<MemberFilter>(() =>
    withField<MemberFilter, 'query'>({ sort: NEWEST }, 'query', keptQuery.read() || undefined),
  );
  const members = useMembers(tenantId, filter);
  const { data: roles = [], isPending } = useRoles(tenantId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('nav.members')}
      lead={text('members.lead')}
      action={
        allowed['iam:invitation:create'] && (
          <Link href={`${pathIn(PAGE_PATHS.invitations, tenantId)}?new`} className="button primary">
            {text('members.invite')}
          </Link>
        )
      }
    >
      {allowed['iam:member:update'] && <EndsSoon tenantId={tenantId} roles={roles} />}
      <Filter filter={filter} setFilter={setFilter} roles={roles} />
      <List
        query={members}
        label={text('nav.members')}
        count={(count) => text('members.count', { count })}
        keyOf={({ userId }) => userId}
        empty={<Empty title={text('members.empty')} lead={text('members.empty.text')} />}
      >
        {(member) => (
          <Row
            tenantId={tenantId}
            member={member}
            roles={isPending ? [] : roleNames(roles, member.roles)}
            setDoing={setDoing}
          />
        )}
      </List>
      {doing?.what === 'roles' && <ChangeRoles tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'suspend' && <Suspend tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <Remove tenantId={tenantId} member={doing.member} onClose={close} />}
    </Page>
  );
}

interface FilterProps {
  readonly filter: MemberFilter;
  readonly setFilter: (change: (filter: MemberFilter) => MemberFilter) => void;
  readonly roles: readonly Role[];
}

function Filter({ filter: shown, setFilter, roles }: FilterProps) {
  const search = useCallback(
    (query: string) => setFilter((filter) => withField(filter, 'query', query || undefined)),
    [setFilter],
  );
  const choose = (role: string) =>
    setFilter((filter) => withField(filter, 'role', role === ANY_ROLE ? undefined : role));
  return (
    <div className="filters" role="search">
      <SearchField label={text('members.search')} onSearch={search} isKept />
      <SelectField
        label={text('members.role')}
        options={[
          [ANY_ROLE, text('members.any-role')],
          ...roles.map((role): [string, string] => [role.key, nameOfRole(role)]),
        ]}
        value={shown.role ?? ANY_ROLE}
        onChange={choose}
      />
      <SelectField
        label={text('members.sort')}
        options={[
          [NEWEST, text('members.sort.joined')],
          ['name', text('members.sort.name')],
          ['email', text('members.sort.email')],
        ]}
        value={shown.sort ?? NEWEST}
        onChange={(sort) => setFilter((others) => ({ ...others, sort: sort as typeof NEWEST }))}
      />
    </div>
  );
}

interface RowProps {
  readonly tenantId: string;
  readonly member: Member;
  /** Names of the member's roles; empty until they are loaded. */
  readonly roles: readonly string[];
  readonly setDoing: (doing: Doing) => void;
}

function Row({ tenantId, member, roles, setDoing }: RowProps) {
  const restore = useRestore(tenantId, member);
  const { data: me } = useMe();
  const { lastActiveAt, until, roleEnds } = member;
  return (
    <div className="item">
      <Avatar name={nameOf(member)} />
      <div className="what">
        <div className="row">
          <strong>{nameOf(member)}</strong>
          {member.userId === me?.id && <Badge>{text('you')}</Badge>}
          {member.status === 'suspended' && <Badge kind="bad">{text('members.suspended')}</Badge>}
          {member.source !== 'manual' && <Badge>{text(SOURCES[member.source])}</Badge>}
          {roles.map((name) => (
            <Badge key={name} kind={name === 'Owner' ? 'good' : ''}>
              {name}
            </Badge>
          ))}
        </div>
        <span className="soft small">
          {rich('members.joined', {
            email: member.email === null ? '–' : <Address value={member.email} />,
            time: () => <Time value={member.joinedAt} />,
          })}
          {' · '}
          {lastActiveAt === null
            ? text('members.never-active')
            : rich('members.active', { time: () => <Time value={lastActiveAt} /> })}
          {until !== null && ' · '}
          {until !== null && rich('members.ends', { time: () => <Time value={until} /> })}
          {roleEnds.map((end) => (
            <Fragment key={end.key}>
              {' · '}
              {rich('members.role-ends', {
                role: () => nameOfRole(end),
                time: () => <Time value={end.until} />,
              })}
            </Fragment>
          ))}
        </span>
      </div>
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
    </div>
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

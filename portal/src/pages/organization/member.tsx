import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { inBackground } from '../../session/in-background.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { nameOfActor, TrailList } from '../../ui/trail.tsx';
import { MemberAccess } from './access/member-access.tsx';
import type { OrganizationProps } from './allowed.ts';
import { ChangeRoles, Remove, Suspend } from './member-dialogs.tsx';
import { nameOf, sourceOf } from './member-name.ts';
import { MemberMenu, type Doing } from './members.tsx';
import { NotVisible } from './not-visible.tsx';
import { keys, useSecondFactors, useTrail, type Member as Shown } from './organization-queries.ts';

type Props = OrganizationProps & { readonly userId: string };

const useMember = (tenantId: string, userId: string) =>
  useQuery({
    queryKey: [...keys.members(tenantId), 'one', userId],
    queryFn: async () =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/members/{userId}', {
          params: { path: { id: tenantId, userId } },
        })
      ).data,
  });

/** One member: their access, groups, sign-in and events. */
export function Member({ userId, ...props }: Props) {
  const { data, error, refetch } = useMember(props.tenantId, userId);
  const back = <Link href={pathIn(PAGE_PATHS.members, props.tenantId)}>{text('member.back')}</Link>;
  // What changes while they work is in the list only.
  if (data)
    return <Details {...props} member={{ ...data, lastActiveAt: null, directoryName: null }} back={back} />;
  return (
    <Page title={text('nav.members')} lead={back}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
      ) : (
        <Skeleton label={text('nav.members')} />
      )}
    </Page>
  );
}

interface DetailsProps extends OrganizationProps {
  readonly member: Shown;
  readonly back: ReactNode;
}

function Details({ tenantId, allowed, member, back }: DetailsProps) {
  const { data: me } = useMe();
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const props = { tenantId, allowed, member };
  const { email, status, until, joinedAt, source } = member;
  const { data: groups } = useGroups(tenantId, member.userId, allowed['iam:directory:read']);
  const directoryName = source === 'directory' ? (groups?.[0]?.directoryName ?? null) : null;
  return (
    <Page
      title={nameOf(member)}
      lead={back}
      action={<MemberMenu tenantId={tenantId} member={member} setDoing={setDoing} />}
    >
      <section className="sheet section" aria-label={text('member.about')}>
        <dl className="facts">
          <dt>{text('members.email')}</dt>
          <dd>{email === null ? '–' : <Address value={email} />}</dd>
          <dt>{text('members.status')}</dt>
          <dd className="row">
            <Badge kind={status === 'active' ? 'good' : 'bad'}>{text(`members.status.${status}`)}</Badge>
            {member.userId === me?.id && <Badge>{text('you')}</Badge>}
          </dd>
          <dt>{text('members.source')}</dt>
          <dd>{sourceOf({ source, directoryName })}</dd>
          <dt>{text('member.joined')}</dt>
          <dd>
            <Time value={joinedAt} exact />
          </dd>
          {until !== null && (
            <>
              <dt>{text('member.until')}</dt>
              <dd>
                <Time value={until} exact />
              </dd>
            </>
          )}
        </dl>
      </section>
      <MemberAccess {...props} />
      <Groups {...props} />
      <SignIn {...props} />
      <Events {...props} />
      {doing?.what === 'roles' && <ChangeRoles tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'suspend' && <Suspend tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <Remove tenantId={tenantId} member={doing.member} onClose={close} />}
    </Page>
  );
}

type SectionProps = OrganizationProps & { readonly member: Shown };

const useGroups = (tenantId: string, userId: string, isAllowed: boolean) =>
  useQuery({
    queryKey: [...keys.members(tenantId), 'groups', userId],
    enabled: isAllowed,
    queryFn: async () =>
      (
        await gatehouse.get('/api/v1/iam/tenants/{id}/directory-groups', {
          params: { path: { id: tenantId }, query: { userId } },
        })
      ).data.groups,
  });

/** Groups of the member in directories. */
function Groups({ tenantId, allowed, member: { userId } }: SectionProps) {
  const isAllowed = allowed['iam:directory:read'];
  const groups = useGroups(tenantId, userId, isAllowed);
  return (
    <section className="sheet section stack" aria-labelledby="member-groups">
      <h2 id="member-groups">{text('member.groups')}</h2>
      {!isAllowed && <NotVisible tenantId={tenantId} scope="iam:directory:read" />}
      {groups.error && <ErrorNotice error={groups.error} onRetry={() => inBackground(groups.refetch())} />}
      {groups.data?.length === 0 && <p className="soft">{text('member.groups.none')}</p>}
      {groups.data && groups.data.length > 0 && (
        <dl className="facts">
          {groups.data.map(({ id, name, directoryId, directoryName }) => (
            <div key={id} className="fact">
              <dt>{name}</dt>
              <dd>
                <Link href={pathIn(PAGE_PATHS.directory, tenantId).replace(':directoryId', directoryId)}>
                  {directoryName}
                </Link>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** What an organization sees of how the member signs in. */
function SignIn({ tenantId, allowed, member }: SectionProps) {
  const isAllowed = allowed['iam:sign-in-policy:read'];
  const withFactor = useSecondFactors(tenantId, [member], isAllowed && member.status === 'active');
  return (
    <section className="sheet section stack" aria-labelledby="member-sign-in">
      <h2 id="member-sign-in">{text('member.sign-in')}</h2>
      {!isAllowed && <NotVisible tenantId={tenantId} scope="iam:sign-in-policy:read" />}
      {withFactor && <p>{text(withFactor.has(member.userId) ? 'member.factor.yes' : 'member.factor.no')}</p>}
      <p className="soft">{text('member.sign-in.private')}</p>
    </section>
  );
}

/** Events of the member in the audit trail. */
function Events({ tenantId, allowed, member: { userId } }: SectionProps) {
  const isAllowed = allowed['iam:audit:read'];
  const { data: me } = useMe();
  const trail = useTrail(tenantId, { personId: userId }, isAllowed);
  return (
    <section className="stack" aria-labelledby="member-trail">
      <h2 id="member-trail">{text('nav.trail')}</h2>
      {isAllowed ? (
        <TrailList query={trail} nameOf={(event) => nameOfActor(event, me?.id)} />
      ) : (
        <NotVisible tenantId={tenantId} scope="iam:audit:read" />
      )}
    </section>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { has, rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { useMe } from '../../session/queries.ts';
import { Address } from '../../ui/address.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/explain.ts';
import { Skeleton } from '../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PageTabs } from '../../ui/page-tabs.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Deeds, nameOfActor } from '../../ui/trail.tsx';
import {
  type OperatedPerson,
  pathOfOrganization,
  pathOfPerson,
  shownName,
  useAction,
  usePerson,
} from './operator-queries.ts';
import { isNotFound, NoneFound } from './none-found.tsx';
import { PersonCommands } from './person-commands.tsx';
import { Part } from './person-parts.tsx';
import { SessionsOf, Waiting } from './person-sessions.tsx';
import { inBackground } from '../../session/in-background.ts';

/** A person, with what support needs. */
export function Person({ userId }: { readonly userId: string }) {
  const { data, error, refetch } = usePerson(userId);
  if (isNotFound(error))
    return (
      <NoneFound
        title={text('operator.people.none')}
        lead={text('operator.person.none')}
        search={text('operator.person.search')}
        path={PAGE_PATHS.operatorPeople}
      />
    );
  if (!data)
    return (
      <Page title={text('operator.person')}>
        {error ? (
          <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
        ) : (
          <Skeleton label={text('operator.person')} />
        )}
      </Page>
    );
  return (
    <Page
      title={shownName(data)}
      heading={<Address value={shownName(data)} />}
      lead={rich('settings.created', {
        id: data.userId,
        time: () => <Time value={data.createdAt} />,
        code: (id) => <code>{id}</code>,
      })}
      action={<PersonCommands person={data} />}
    >
      {data.erasure && <Erasure userId={userId} request={data.erasure} />}
      <PageTabs
        label={text('operator.person.parts')}
        parts={[
          { id: 'account', title: text('operator.account'), content: <Account person={data} /> },
          {
            id: 'access',
            title: text('operator.person.access'),
            count: data.memberships.length,
            content: (
              <>
                <Memberships person={data} />
                <Identities person={data} />
              </>
            ),
          },
          {
            id: 'sessions',
            title: text('nav.sessions'),
            count: data.sessions.length,
            content: <SessionsOf person={data} />,
          },
          {
            id: 'mails',
            title: text('operator.mails'),
            count: data.mails.length,
            content: <Mails person={data} />,
          },
          {
            id: 'events',
            title: text('operator.events'),
            content: <Events person={data} />,
          },
        ]}
      />
    </Page>
  );
}

interface ErasureProps {
  readonly userId: string;
  readonly request: NonNullable<OperatedPerson['erasure']>;
}

/** An erasure that waits for a second operator. */
function Erasure({ userId, request }: ErasureProps) {
  const { requestedBy, requestedByName, expiresAt } = request;
  const withdraw = useAction(() =>
    gatehouse.delete('/api/v1/operator/people/{userId}/erasure-request', { params: { path: { userId } } }),
  );
  return (
    <Notice kind="care" title={text('operator.erasure')}>
      <p>
        {rich('operator.erasure.text', {
          name: requestedByName ?? requestedBy,
          link: (name) => <Link href={pathOfPerson(requestedBy)}>{name}</Link>,
          time: () => <Time value={expiresAt} exact />,
        })}
      </p>
      {withdraw.error && <ErrorNotice error={withdraw.error} />}
      <Button small isPending={withdraw.isPending} onPress={() => withdraw.mutate()}>
        {text('operator.erasure.withdraw')}
      </Button>
    </Notice>
  );
}

interface ResendProps {
  readonly userId: string;
  readonly mailId: string;
  readonly kind: string;
}

/** Sends a mail again. */
function Resend({ userId, mailId, kind }: ResendProps) {
  const say = useToast();
  const resend = useAction(() =>
    gatehouse.post('/api/v1/operator/people/{userId}/mails/{mailId}/resend', {
      params: { path: { userId, mailId } },
    }),
  );
  return (
    <Button
      small
      aria-label={text('operator.mail.resend-of', { kind: titleOfMail(kind) })}
      isPending={resend.isPending}
      onPress={() => resend.mutate(undefined, { onError: (error) => say(explain(error).title) })}
    >
      {text('operator.mail.resend')}
    </Button>
  );
}

interface PersonProps {
  readonly person: OperatedPerson;
}

function Account({ person }: PersonProps) {
  const { userId, email, name, company, country, locale, hasPassword, factors, operatorRole } = person;
  const { factorsResetAt, passwordResetExpiresAt, emailChange } = person;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [text('email'), email],
    [
      text('operator.email-change'),
      emailChange && (
        <Waiting userId={userId} what="email-change" at={emailChange.expiresAt}>
          <Address value={emailChange.email} />
        </Waiting>
      ),
    ],
    [text('name'), name],
    [text('operator.company'), company],
    [text('operator.country'), country],
    [text('frame.language'), locale],
    [text('password'), text(hasPassword ? 'operator.has-password' : 'operator.no-password')],
    [
      text('operator.password-reset'),
      passwordResetExpiresAt !== null && (
        <Waiting userId={userId} what="password-reset" at={passwordResetExpiresAt} />
      ),
    ],
    [
      text('security.factors'),
      factors.length === 0
        ? text('operator.no-factors')
        : factors.map((factor) => text(`operator.factor.${factor as 'totp'}`)).join(', '),
    ],
    [
      text('operator.reset-at'),
      factorsResetAt !== null && <Waiting userId={userId} what="authenticator-reset" at={factorsResetAt} />,
    ],
    [text('operator.role'), operatorRole !== null && text(`operator.role.${operatorRole}`)],
  ];
  return (
    <section className="sheet section" aria-labelledby="account">
      <div className="row">
        <h2 id="account">{text('operator.account')}</h2>
        {person.suspendedAt !== null && (
          <Badge kind="bad">
            {rich('operator.suspended-since', { time: () => <Time value={person.suspendedAt ?? ''} /> })}
          </Badge>
        )}
      </div>
      <dl className="facts">
        {facts
          .filter(([, value]) => value !== null && value !== false)
          .map(([label, value]) => (
            <FactOf key={label} label={label}>
              {value}
            </FactOf>
          ))}
      </dl>
    </section>
  );
}

const FactOf = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </>
);

const Memberships = ({ person }: PersonProps) => (
  <Part
    title={text('organizations')}
    items={person.memberships}
    keyOf={({ tenantId }) => tenantId}
    columns={[
      {
        key: 'name',
        label: text('operator.organization'),
        cell: ({ tenantId, name, roles }) => (
          <>
            <Link href={pathOfOrganization(tenantId)} className="name" title={name}>
              {name}
            </Link>
            <span className="under">{namesOfRoles(roles)}</span>
          </>
        ),
      },
      {
        key: 'roles',
        label: text('roles'),
        isWide: true,
        cell: ({ roles }) => <span title={namesOfRoles(roles)}>{namesOfRoles(roles)}</span>,
      },
      {
        key: 'status',
        label: text('operator.status'),
        cell: ({ archived, status }) =>
          status === 'active' && !archived ? (
            text('members.status.active')
          ) : (
            <span className="row">
              {status === 'suspended' && <Badge kind="bad">{text('operator.suspended')}</Badge>}
              {archived && <Badge kind="care">{text('organizations.archived')}</Badge>}
            </span>
          ),
      },
      {
        key: 'support',
        label: text('operator.support-access'),
        isWide: true,
        cell: ({ letsSupportIn }) => text(letsSupportIn ? 'operator.lets-in' : 'operator.lets-in.not'),
      },
      {
        key: 'since',
        label: text('operator.people.since'),
        isWide: true,
        cell: ({ joinedAt }) => <Time value={joinedAt} />,
      },
    ]}
  />
);

const namesOfRoles = (keys: readonly string[]): string => keys.map((key) => nameOfRole({ key })).join(', ');

const Identities = ({ person }: PersonProps) => (
  <Part
    title={text('identities.linked')}
    items={person.identities}
    keyOf={({ id }) => id}
    columns={[
      {
        key: 'kind',
        label: text('operator.identity'),
        cell: ({ kind, issuer }) => (
          <>
            {kind}
            <span className="under">{issuer}</span>
          </>
        ),
      },
      {
        key: 'issuer',
        label: text('operator.identity.issuer'),
        isWide: true,
        cell: ({ issuer }) => <span title={issuer}>{issuer}</span>,
      },
      {
        key: 'used',
        label: text('operator.identity.used'),
        cell: ({ lastUsedAt }) => <Time value={lastUsedAt} />,
      },
      {
        key: 'since',
        label: text('operator.people.since'),
        isWide: true,
        cell: ({ createdAt }) => <Time value={createdAt} />,
      },
    ]}
  />
);

const Mails = ({ person }: PersonProps) => (
  <Part
    title={text('operator.mails')}
    items={person.mails}
    keyOf={({ id }) => id}
    columns={[
      {
        key: 'name',
        label: text('members.email'),
        cell: ({ kind, state, createdAt }) => (
          <>
            <span className="clamped">{titleOfMail(kind)}</span>
            <span className="under">
              <MailState state={state} /> <Time value={createdAt} />
            </span>
          </>
        ),
      },
      {
        key: 'state',
        label: text('operator.status'),
        isWide: true,
        cell: ({ state }) => <MailState state={state} />,
      },
      {
        key: 'reply',
        label: text('operator.mails.reply'),
        isWide: true,
        cell: ({ reply, attempts }) => (
          <span className="clamped" title={reply ?? undefined}>
            {reply ?? text('operator.mails.attempts', { attempts })}
          </span>
        ),
      },
      {
        key: 'at',
        label: text('operator.mails.at'),
        isWide: true,
        cell: ({ createdAt }) => <Time value={createdAt} />,
      },
      {
        key: 'end',
        label: text('table.actions'),
        isLabelHidden: true,
        cell: ({ id, kind, canResend }) =>
          canResend && (
            <span className="end-cell">
              <Resend userId={person.userId} mailId={id} kind={kind} />
            </span>
          ),
      },
    ]}
  />
);

function Events({ person: { userId, events } }: PersonProps) {
  const { data: me } = useMe();
  return (
    <section className="stack" aria-label={text('operator.events')}>
      <h2>{text('operator.events')}</h2>
      {events.length === 0 ? (
        <p className="soft">{text('operator.nothing')}</p>
      ) : (
        <Deeds events={events} nameOf={(event) => nameOfActor(event, me?.id)} />
      )}
      <p>
        <Link href={`${PAGE_PATHS.operatorTrail}?actor=${userId}`}>{text('operator.its-trail')}</Link>
      </p>
    </section>
  );
}

/** Says what a mail is for; the kind of another module's mail by its name. */
function titleOfMail(kind: string): string {
  const id = `operator.mail-kind.${kind}`;
  return has(id) ? text(id) : kind;
}

const MAIL_KINDS = {
  waiting: '',
  sent: 'good',
  deferred: 'care',
  refused: 'bad',
  expired: 'bad',
} as const;

const MailState = ({ state }: { readonly state: keyof typeof MAIL_KINDS }) => (
  <Badge kind={MAIL_KINDS[state]}>{text(`operator.mail.${state}`)}</Badge>
);

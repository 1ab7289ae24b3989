import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { has, rich, text, type MessageId } from '../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Chevron } from './icons.tsx';
import { Empty, List } from './list.tsx';
import { Time } from './time.tsx';

export type TrailEvent = components['schemas']['AuditEventResponse'];
type Event = TrailEvent;
type KnownEvent = MessageId extends infer Id ? (Id extends `event.${infer Action}` ? Action : never) : never;

/** Text of an event, after the name of the actor; the event of another module by its name. */
export const textOf = (action: string): string => (isKnown(action) ? text(`event.${action}`) : action);

const isKnown = (action: string): action is KnownEvent => has(`event.${action}`);

/** Number of wrong passwords, with network and times. */
function FailedSignIns({ count, firstAt, lastAt, network }: NonNullable<Event['details']>) {
  return (
    <span className="soft small">
      {rich(network === null ? 'trail.failed-many' : 'trail.failed', {
        count,
        network: network?.slice(0, 8) ?? '',
        first: () => <Time value={firstAt} />,
        last: () => <Time value={lastAt} />,
      })}
    </span>
  );
}

/** Name of who did it, as it is now, or the last one of what is deleted. */
export function nameOfActor(
  { actorId, actorKind, actorName, actorDeleted }: Event,
  me: string | undefined,
): string {
  if (actorId === me) return text('trail.you');
  if (actorKind === 'erased') return text('trail.actor.erased');
  if (typeof actorName !== 'string') return text('unknown-person', { id: actorId.slice(-6) });
  const name = actorDeleted === true ? text('trail.deleted', { name: actorName }) : actorName;
  if (actorKind === 'directory') return text('trail.actor.directory', { name });
  if (actorKind === 'connection') return text('trail.actor.connection', { name });
  return name;
}

/** Name of what it happened to, as for {@link nameOfActor}; null if it has none. */
export function nameOfSubject({ subject, subjectName, subjectDeleted }: Event): string | null {
  if (typeof subjectName !== 'string') {
    if (subjectDeleted === true) return text('trail.actor.erased');
    // Modules and jobs are known by what is their id.
    return /^platform\/(?:jobs|permissions)\/(.+)$/.exec(subject ?? '')?.[1] ?? null;
  }
  return subjectDeleted === true ? text('trail.deleted', { name: subjectName }) : subjectName;
}

/** Pages of what events are about, by the collection of the subject. */
const PAGES: Readonly<Record<string, readonly [page: string, parameter: string]>> = {
  'iam/connections': [PAGE_PATHS.connection, ':connectionId'],
  'iam/directories': [PAGE_PATHS.directory, ':directoryId'],
  'iam/members': [PAGE_PATHS.member, ':userId'],
  'iam/service-accounts': [PAGE_PATHS.serviceAccount, ':accountId'],
  'webhooks/subscriptions': [PAGE_PATHS.webhook, ':subscriptionId'],
};

/** Pages of operators, by the collection of the subject. */
const PAGES_OF_OPERATORS: typeof PAGES = {
  'iam/accounts': [PAGE_PATHS.operatorPerson, ':userId'],
  'iam/members': [PAGE_PATHS.operatorPerson, ':userId'],
  'iam/tenants': [PAGE_PATHS.operatorOrganization, ':operatedId'],
};

/** Path of the page of what an event is about, while it exists; null without one. */
function pageOfSubject({ subject, subjectName, subjectDeleted, tenantId, tenantName }: Event): string | null {
  const [, collection = '', id = ''] = /^([^/]+\/[^/]+)\/(.+)$/.exec(subject ?? '') ?? [];
  if (tenantName !== undefined) {
    const [page, parameter = ''] = PAGES_OF_OPERATORS[collection] ?? [];
    const isThere = page !== undefined && typeof subjectName === 'string' && subjectDeleted !== true;
    return isThere ? page.replace(parameter, id) : null;
  }
  const [page, parameter = ''] = PAGES[collection] ?? [];
  const isKnown =
    page !== undefined && tenantId !== null && typeof subjectName === 'string' && subjectDeleted !== true;
  return isKnown ? pathIn(page, tenantId).replace(parameter, id) : null;
}

interface Props {
  readonly query: UseInfiniteQueryResult<readonly Event[]>;
  readonly nameOf: (event: Event) => string;
  /** Whether filters leave events out. */
  readonly isFiltered?: boolean;
  /** Filters by the actor, the subject, or what allowed it, which is pressed. */
  readonly subjects?: {
    readonly onActor: (userId: string) => void;
    readonly onSubject: (subject: string) => void;
    readonly onAllowedBy: (path: string) => void;
    /** Left out where all events are of one organization, which is then not named in each. */
    readonly onTenant?: ((tenantId: string) => void) | undefined;
  };
}

/** Lists audit events, newest first. */
export function TrailList({ query, nameOf, isFiltered = false, subjects }: Props) {
  return (
    <List
      query={query}
      label={text('nav.trail')}
      className="list trail"
      keyOf={({ id }) => id}
      empty={<Empty title={text(isFiltered ? 'trail.none' : 'trail.empty')} />}
    >
      {(event) => <Deed event={event} nameOf={nameOf} subjects={subjects} />}
    </List>
  );
}

/** Lists events that the page has. */
export const Deeds = ({ events, nameOf }: Pick<Props, 'nameOf'> & { readonly events: readonly Event[] }) => (
  <ul className="list trail" aria-label={text('nav.trail')}>
    {events.map((event) => (
      <li key={event.id}>
        <Deed event={event} nameOf={nameOf} />
      </li>
    ))}
  </ul>
);

interface AllowedByProps {
  readonly by: NonNullable<Event['by']>;
  readonly onPress: ((path: string) => void) | undefined;
}

interface DetailsProps {
  readonly event: Event;
  readonly name: string;
  readonly onAllowedBy: AllowedByProps['onPress'];
}

type DeedProps = Pick<Props, 'nameOf' | 'subjects'> & { readonly event: Event };

/** The organization of an event, for operators; nothing where the event is about itself. */
function Where({ event: { tenantId, tenantName, subject }, onPress }: WhereProps) {
  if (tenantId === null || typeof tenantName !== 'string' || subject === `iam/tenants/${tenantId}`)
    return null;
  return (
    <span className="soft small">
      {' · '}
      {onPress ? (
        <Button look="link" onPress={() => onPress(tenantId)}>
          {tenantName}
        </Button>
      ) : (
        tenantName
      )}
    </span>
  );
}

interface WhereProps {
  readonly event: Event;
  readonly onPress: ((tenantId: string) => void) | undefined;
}

function Deed({ event, nameOf, subjects }: DeedProps) {
  const { action, actorId, createdAt, subject, impersonatorId } = event;
  const [isOpen, setOpen] = useState(false);
  const subjectName = nameOfSubject(event);
  const isOfActor = subject?.endsWith(`/${actorId}`) === true || action.startsWith('impersonation.');
  const isShown = subject !== null && !isOfActor;
  return (
    <div className="deed">
      <span>
        {rich('trail.deed', {
          action: isShown && action === 'member.joined' ? text('trail.member-added') : textOf(action),
          actor: () =>
            subjects ? (
              <Button look="link" onPress={() => subjects.onActor(actorId)}>
                {nameOf(event)}
              </Button>
            ) : (
              <strong>{nameOf(event)}</strong>
            ),
        })}
        {impersonatorId !== undefined && (
          <>
            {' '}
            <Badge kind="care">
              {text('trail.by-support')}
              {typeof event.impersonatorName === 'string' && `: ${event.impersonatorName}`}
            </Badge>
          </>
        )}
        {isShown && subjectName !== null && (
          <>
            {': '}
            {subjects ? (
              <Button look="link" onPress={() => subjects.onSubject(subject)}>
                {subjectName}
              </Button>
            ) : (
              <strong>{subjectName}</strong>
            )}
          </>
        )}
        {(!subjects || subjects.onTenant) && <Where event={event} onPress={subjects?.onTenant} />}
      </span>
      <span className="when">
        <span className="soft small">
          <Time value={createdAt} />
        </span>
        <Button
          look="quiet"
          icon
          aria-label={text('trail.details')}
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          <Chevron />
        </Button>
      </span>
      {isOpen && <EventDetails event={event} name={nameOf(event)} onAllowedBy={subjects?.onAllowedBy} />}
    </div>
  );
}

/** Role on a thing or of a partnership, each of which filters the list where it can be filtered. */
function AllowedBy({ by, onPress }: AllowedByProps) {
  const { role, on, via, partnerName } = by;
  const grounds: readonly (readonly [path: string, what: string])[] = [
    ...(on === null ? [] : [[on, text('trail.details.allowed-by.thing', { role, on })] as const]),
    ...(via === null
      ? []
      : [
          [
            `iam/partnerships/${via}`,
            text('trail.details.allowed-by.partnership', { role, name: partnerName ?? via }),
          ] as const,
        ]),
  ];
  return grounds.map(([path, what]) => (
    <div key={path}>
      {onPress ? (
        <Button look="link" onPress={() => onPress(path)}>
          {what}
        </Button>
      ) : (
        what
      )}
    </div>
  ));
}

/** All that the trail has of an event. */
function EventDetails({ event, name, onAllowedBy }: DetailsProps) {
  const { id, action, actorId, actorKind, by, createdAt, details, subject, impersonatorId, ticket } = event;
  const { tenantId, tenantName } = event;
  const page = pageOfSubject(event);
  const who = `${name} (${[actorKind, actorId].filter(Boolean).join(' ')})`;
  const isPersonOfPlatform = tenantName !== undefined && actorKind === 'person';
  const facts: readonly (readonly [label: MessageId, value: ReactNode])[] = [
    ['trail.details.time', <Time key="time" value={createdAt} exact />],
    [
      'trail.details.actor',
      isPersonOfPlatform ? (
        <Link key="actor" href={PAGE_PATHS.operatorPerson.replace(':userId', actorId)}>
          {who}
        </Link>
      ) : (
        who
      ),
    ],
    [
      'operator.organization',
      tenantId !== null && tenantName !== undefined && (
        <Link key="organization" href={PAGE_PATHS.operatorOrganization.replace(':operatedId', tenantId)}>
          {tenantName ?? tenantId}
        </Link>
      ),
    ],
    ['trail.details.subject', subject && (page === null ? subject : <Link href={page}>{subject}</Link>)],
    ['trail.details.allowed-by', by && <AllowedBy key="by" by={by} onPress={onAllowedBy} />],
    ['trail.details.support', impersonatorId],
    ['trail.details.ticket', ticket],
    ['trail.details.attempts', details && <FailedSignIns key="attempts" {...details} />],
    ['trail.details.action', action],
    ['trail.details.id', id],
  ];
  return (
    <dl className="facts small">
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{text(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { components } from '@gatehouse/client';
import { has, rich, text, type MessageId } from '../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Empty, List } from './list.tsx';
import { Time } from './time.tsx';

type Event = components['schemas']['AuditEventResponse'];
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

/** Name of who did it, as it is now. */
export function nameOfActor({ actorId, actorKind, actorName }: Event, me: string | undefined): string {
  if (actorId === me) return text('trail.you');
  if (actorKind === 'erased') return text('trail.actor.erased');
  const name = actorName ?? null;
  if (name === null) return text('unknown-person', { id: actorId.slice(-6) });
  if (actorKind === 'directory') return text('trail.actor.directory', { name });
  if (actorKind === 'connection') return text('trail.actor.connection', { name });
  return name;
}

/** Pages of what events are about, by the collection of the subject. */
const PAGES: Readonly<Record<string, readonly [page: string, parameter: string]>> = {
  'iam/connections': [PAGE_PATHS.connection, ':connectionId'],
  'iam/directories': [PAGE_PATHS.directory, ':directoryId'],
  'iam/service-accounts': [PAGE_PATHS.serviceAccount, ':accountId'],
  'webhooks/subscriptions': [PAGE_PATHS.webhook, ':subscriptionId'],
};

/** What an event is about, with a link to its page while it exists. */
function Subject({ subject, subjectName, tenantId }: Event & { readonly subject: string }) {
  const [, collection = '', id = ''] = /^([^/]+\/[^/]+)\/(.+)$/.exec(subject) ?? [];
  const [page, parameter = ''] = PAGES[collection] ?? [];
  const shown = <code className="soft small">{subject}</code>;
  if (!page || tenantId === null || typeof subjectName !== 'string') return shown;
  return <Link href={pathIn(page, tenantId).replace(parameter, id)}>{shown}</Link>;
}

interface Props {
  readonly query: UseInfiniteQueryResult<readonly Event[]>;
  readonly nameOf: (event: Event) => string;
  /** Whether filters leave events out. */
  readonly isFiltered?: boolean;
  /** Filters by the actor or subject that is pressed. */
  readonly subjects?: {
    readonly onActor: (userId: string) => void;
    readonly onSubject: (subject: string) => void;
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

type DeedProps = Pick<Props, 'nameOf' | 'subjects'> & { readonly event: Event };

function Deed({ event, nameOf, subjects }: DeedProps) {
  const { action, actorId, createdAt, details, subject, impersonatorId, ticket } = event;
  const isShown = subject !== null && subjects && subject !== `iam/members/${actorId}`;
  return (
    <div className="deed">
      <span>
        {rich('trail.deed', {
          action: textOf(action),
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
        {isShown && typeof event.subjectName === 'string' && (
          <>
            {': '}
            <Button look="link" onPress={() => subjects.onSubject(subject)}>
              {event.subjectName}
            </Button>
          </>
        )}
      </span>
      <span className="soft small">
        <Time value={createdAt} exact />
      </span>
      {ticket !== undefined && <span className="soft small">{text('trail.ticket', { ticket })}</span>}
      {details && <FailedSignIns {...details} />}
      {subject !== null && <Subject {...event} subject={subject} />}
    </div>
  );
}

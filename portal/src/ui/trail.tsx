import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { has, rich, text, type MessageId } from '../messages/index.ts';
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

type TargetProps = NonNullable<Props['subjects']> & { readonly subject: string };

/** Name of what an event is about. */
function Target({ subject, nameOf, onSubject }: TargetProps) {
  const name = nameOf(subject);
  if (name === null) return null;
  return (
    <>
      {': '}
      <Button look="link" onPress={() => onSubject(subject)}>
        {name}
      </Button>
    </>
  );
}

interface Props {
  readonly query: UseInfiniteQueryResult<readonly Event[]>;
  readonly nameOf: (userId: string) => string;
  /** Whether filters leave events out. */
  readonly isFiltered?: boolean;
  /** Names what events are about, and filters by what is pressed. */
  readonly subjects?: {
    /** @returns null for what has no name */
    readonly nameOf: (subject: string) => string | null;
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
      {({ action, actorId, createdAt, details, subject, impersonatorId, ticket }) => (
        <div className="deed">
          <span>
            {rich('trail.deed', {
              action: textOf(action),
              actor: () =>
                subjects ? (
                  <Button look="link" onPress={() => subjects.onActor(actorId)}>
                    {nameOf(actorId)}
                  </Button>
                ) : (
                  <strong>{nameOf(actorId)}</strong>
                ),
            })}
            {impersonatorId !== undefined && (
              <>
                {' '}
                <Badge kind="care">{text('trail.by-support')}</Badge>
              </>
            )}
            {subject !== null && subjects && subject !== `iam/members/${actorId}` && (
              <Target subject={subject} {...subjects} />
            )}
          </span>
          <span className="soft small">
            <Time value={createdAt} exact />
          </span>
          {ticket !== undefined && <span className="soft small">{text('trail.ticket', { ticket })}</span>}
          {details && <FailedSignIns {...details} />}
          {subject !== null && <code className="soft small">{subject}</code>}
        </div>
      )}
    </List>
  );
}

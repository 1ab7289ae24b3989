import type { ReactNode } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/explain.ts';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { deviceOf } from '../account/device.ts';
import { type OperatedPerson, useAction } from './operator-queries.ts';
import { Part } from './person-parts.tsx';

/** Characters of a network's hash that tell networks apart. */
const HASH_SHOWN = 6;

/** Sessions of a person, each of which can be ended, and failed sign-ins. */
export const SessionsOf = ({ person }: { readonly person: OperatedPerson }) => (
  <>
    <Part
      title={text('nav.sessions')}
      items={person.sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'device',
          label: text('operator.session.device'),
          cell: (session) => (
            <>
              {nameOfSession(session)}
              <span className="under">
                <Time value={session.lastSeenAt} />
              </span>
            </>
          ),
        },
        {
          key: 'address',
          label: text('operator.session.address'),
          isWide: true,
          cell: ({ ipAddress }) => ipAddress ?? '–',
        },
        {
          key: 'seen',
          label: text('operator.session.seen'),
          isWide: true,
          cell: ({ lastSeenAt }) => <Time value={lastSeenAt} />,
        },
        {
          key: 'started',
          label: text('operator.session.started'),
          isWide: true,
          cell: ({ createdAt }) => <Time value={createdAt} />,
        },
        {
          key: 'end',
          label: text('table.actions'),
          isLabelHidden: true,
          cell: (session) => (
            <span className="end-cell">
              <End userId={person.userId} sessionId={session.id} name={nameOfSession(session)} />
            </span>
          ),
        },
      ]}
    />
    <Part
      title={text('operator.failures')}
      items={person.signInFailures}
      keyOf={({ network, lastAt, count }) => `${network} ${lastAt} ${count}`}
      columns={[
        {
          key: 'count',
          label: text('operator.failures.what'),
          cell: ({ count, ended }) => (
            <span className="row">
              {text('operator.failures.count', { count })}
              {!ended && <Badge kind="care">{text('operator.failures.open')}</Badge>}
            </span>
          ),
        },
        {
          key: 'network',
          label: text('operator.failures.from'),
          isWide: true,
          cell: ({ network }) =>
            network === null
              ? text('operator.failures.from-all')
              : text('operator.failures.network', { hash: network.slice(0, HASH_SHOWN) }),
        },
        {
          key: 'first',
          label: text('operator.failures.first'),
          isWide: true,
          cell: ({ firstAt }) => <Time value={firstAt} />,
        },
        {
          key: 'last',
          label: text('operator.failures.last'),
          cell: ({ lastAt }) => <Time value={lastAt} />,
        },
      ]}
    />
  </>
);

/** Names a session by its device; one in which an operator acts as the person, so. */
const nameOfSession = ({ userAgent, impersonation }: OperatedPerson['sessions'][number]): string =>
  impersonation ? text('operator.session.support') : deviceOf(userAgent).name;

interface EndProps {
  readonly userId: string;
  readonly sessionId: string;
  readonly name: string;
}

function End({ userId, sessionId, name }: EndProps) {
  const say = useToast();
  const end = useAction(() =>
    gatehouse.delete('/api/v1/operator/people/{userId}/sessions/{sessionId}', {
      params: { path: { userId, sessionId } },
    }),
  );
  return (
    <Button
      small
      aria-label={text('operator.session.end-of', { name })}
      isPending={end.isPending}
      onPress={() => end.mutate(undefined, { onError: (error) => say(explain(error).title) })}
    >
      {text('operator.session.end')}
    </Button>
  );
}

interface WaitingProps {
  readonly userId: string;
  readonly what: 'authenticator-reset' | 'password-reset' | 'email-change';
  readonly at: string;
  readonly children?: ReactNode;
}

/** What waits at an account, until when, with the button that cancels it. */
export function Waiting({ userId, what, at, children }: WaitingProps) {
  const say = useToast();
  const cancel = useAction(() =>
    gatehouse.delete(`/api/v1/operator/people/{userId}/${what}`, { params: { path: { userId } } }),
  );
  return (
    <span className="row">
      {children}
      {what === 'authenticator-reset' ? (
        <Time value={at} exact />
      ) : (
        <span>{rich('partners.until', { time: () => <Time value={at} exact /> })}</span>
      )}
      <Button
        small
        isPending={cancel.isPending}
        onPress={() => cancel.mutate(undefined, { onError: (error) => say(explain(error).title) })}
      >
        {text(`operator.cancel.${what}`)}
      </Button>
    </span>
  );
}

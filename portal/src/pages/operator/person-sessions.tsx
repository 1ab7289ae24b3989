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
import { Part, Row } from './person-parts.tsx';

/** Characters of a network's hash that tell networks apart. */
const HASH_SHOWN = 6;

/** Sessions of a person, each of which can be ended, and failed sign-ins. */
export function SessionsOf({ person }: { readonly person: OperatedPerson }) {
  return (
    <>
      <Part title={text('nav.sessions')} items={person.sessions}>
        {({ id, userAgent, ipAddress, createdAt, lastSeenAt }) => {
          const { name } = deviceOf(userAgent);
          return (
            <Row key={id} title={name} end={<End userId={person.userId} sessionId={id} name={name} />}>
              {rich('sessions.facts', {
                address: ipAddress ?? '–',
                start: () => <Time value={createdAt} />,
                seen: () => <Time value={lastSeenAt} />,
              })}
            </Row>
          );
        }}
      </Part>
      <Part title={text('operator.failures')} items={person.signInFailures}>
        {({ count, firstAt, lastAt, network, ended }) => (
          <Row
            key={`${network} ${lastAt} ${count}`}
            title={text('operator.failures.count', { count })}
            badge={!ended && <Badge kind="care">{text('operator.failures.open')}</Badge>}
          >
            {rich('operator.failures.facts', {
              first: () => <Time value={firstAt} exact />,
              last: () => <Time value={lastAt} exact />,
              network:
                network === null
                  ? text('operator.failures.from-all')
                  : text('operator.failures.network', { hash: network.slice(0, HASH_SHOWN) }),
            })}
          </Row>
        )}
      </Part>
    </>
  );
}

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
      <Time value={at} exact />
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

import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { has, rich, text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Empty, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import {
  refreshWebhooks,
  useDeliveries,
  useDelivery,
  type Delivery,
  type Subscription,
  type WebhookOwner,
} from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

type State = Delivery['state'];

const KINDS = { waiting: '', due: 'care', claimed: 'care', dead: 'bad' } as const;
const STATES = ['delivered', 'due', 'waiting', 'dead'] as const satisfies readonly State[];
const ANY = 'any';

interface Props {
  readonly owner: WebhookOwner;
  readonly subscription: Subscription;
  readonly mayRedeliver: boolean;
  /** Asks which missed events to deliver. */
  readonly onRecover: () => void;
}

/** Lists the deliveries of a subscription, newest first. */
export function Deliveries({ owner, subscription, mayRedeliver, onRecover }: Props) {
  const [state, setState] = useState<State>();
  const isRecovering = subscription.recoveringSince !== null;
  const wasRecovering = useRef(false);
  useEffect(() => {
    // What the last step of a replay has added.
    if (wasRecovering.current && !isRecovering) inBackground(refreshWebhooks(owner));
    wasRecovering.current = isRecovering;
  }, [owner, isRecovering]);
  const deliveries = useDeliveries(owner, subscription.id, { state, isRecovering });
  const [opened, setOpened] = useState<string | null>(null);
  const delivery = deliveries.data?.find(({ id }) => id === opened);
  return (
    <section className="stack" aria-labelledby="deliveries">
      <div className="row">
        <h2 id="deliveries">{text('webhooks.deliveries')}</h2>
        {mayRedeliver && subscription.enabled && (
          <Button small onPress={onRecover}>
            {text('webhooks.recover')}
          </Button>
        )}
      </div>
      <div className="filters" role="search">
        <SelectField
          label={text('webhooks.state')}
          options={[
            [ANY, text('webhooks.state.any')],
            ...STATES.map((one) => [one, text(`webhooks.state.${one}`)] as const),
          ]}
          value={state ?? ANY}
          onChange={(one) => setState(one === ANY ? undefined : (one as State))}
        />
      </div>
      <Table
        query={deliveries}
        label={text('webhooks.deliveries')}
        keyOf={({ id }) => id}
        columns={columnsOf(setOpened)}
        empty={
          <Empty
            title={text(state ? 'webhooks.deliveries.no-match' : 'webhooks.deliveries.empty')}
            lead={state ? undefined : text('webhooks.deliveries.empty.text')}
          />
        }
      />
      {delivery && (
        <Dialog title={delivery.type} isOpen onClose={() => setOpened(null)}>
          <Attempts owner={owner} delivery={delivery} mayRedeliver={mayRedeliver} />
          <div className="buttons">
            <Button onPress={() => setOpened(null)}>{text('close')}</Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

const columnsOf = (onOpen: (id: string) => void): Column<Delivery>[] => [
  {
    key: 'name',
    label: text('webhooks.type'),
    cell: (delivery) => (
      <>
        <Button look="link" onPress={() => onOpen(delivery.id)}>
          <code>{delivery.type}</code>
        </Button>{' '}
        {delivery.test && <Badge>{text('webhooks.test.badge')}</Badge>}
        <span className="under">
          <Time value={delivery.createdAt} />
        </span>
        <span className="under">{resultOf(delivery)}</span>
      </>
    ),
  },
  { key: 'state', label: text('webhooks.state'), cell: ({ state }) => <State state={state} /> },
  { key: 'attempts', label: text('webhooks.attempt-list'), isWide: true, cell: ({ attempts }) => attempts },
  {
    key: 'result',
    label: text('webhooks.last-result'),
    isWide: true,
    cell: (delivery) => <span title={resultOf(delivery)}>{resultOf(delivery) || '–'}</span>,
  },
  {
    key: 'next',
    label: text('webhooks.next-attempt'),
    isWide: true,
    cell: ({ nextAttemptAt, attempts }) =>
      nextAttemptAt !== null && attempts > 0 ? <Time value={nextAttemptAt} /> : '–',
  },
  {
    key: 'created',
    label: text('webhooks.created-at'),
    isWide: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
];

const State = ({ state }: Pick<Delivery, 'state'>) =>
  state === 'delivered' ? (
    text('webhooks.state.delivered')
  ) : (
    <Badge kind={KINDS[state]}>{text(`webhooks.state.${state}`)}</Badge>
  );

/** What the last attempt led to; empty before the first. */
const resultOf = ({ lastError, lastStatus }: Delivery): string =>
  lastError === null && lastStatus === null ? '' : reasonOf(lastError, lastStatus);

interface AttemptsProps {
  readonly owner: WebhookOwner;
  readonly delivery: Delivery;
  readonly mayRedeliver: boolean;
}

function Attempts({ owner, delivery, mayRedeliver }: AttemptsProps) {
  const details = useDelivery(owner, delivery);
  const { attemptList: attempts, event } = details.data ?? {};
  const say = useToast();
  const again = useMutation({
    mutationFn: () =>
      gatehouse.post(`${owner.api}/deliveries/{deliveryId}/redeliver`, {
        params: { path: { deliveryId: delivery.id } },
      }),
    onSuccess: async () => {
      await refreshWebhooks(owner);
      say(text('webhooks.again.done'));
    },
  });
  const isFinished = delivery.state === 'delivered' || delivery.state === 'dead';
  return (
    <div className="stack tight">
      <p className="soft small">
        {rich('webhooks.event', { id: delivery.eventId, code: (id) => <code key="id">{id}</code> })}
      </p>
      {details.error && <ErrorNotice error={details.error} onRetry={() => inBackground(details.refetch())} />}
      {details.isPending && <Skeleton label={text('webhooks.attempt-list')} rows={1} />}
      {event && (
        <details>
          <summary>{text('webhooks.request')}</summary>
          <p className="soft small">{text('webhooks.request.text')}</p>
          <pre className="code small">{JSON.stringify(event, null, 2)}</pre>
        </details>
      )}
      {attempts?.length === 0 && <p className="soft small">{text('webhooks.attempts.none')}</p>}
      {attempts && attempts.length > 0 && (
        <ol className="stack tight" aria-label={text('webhooks.attempt-list')}>
          {attempts.map(({ at, status, durationMs, error, excerpt }) => (
            <li key={at} className="stack tight">
              <span className="small">
                <Time value={at} exact /> · {reasonOf(error, status)} ·{' '}
                {text('webhooks.duration', { ms: durationMs })}
              </span>
              {excerpt !== null && excerpt !== '' && <pre className="code small">{excerpt}</pre>}
            </li>
          ))}
        </ol>
      )}
      {again.error && <ErrorNotice error={again.error} />}
      {isFinished && mayRedeliver && (
        <div>
          <Button small isPending={again.isPending} onPress={() => again.mutate()}>
            {text('webhooks.again')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What an attempt led to, in words; a reason of a later release as the service names it. */
function reasonOf(error: string | null, status: number | null): string {
  if (error === null || error === 'status') return text('webhooks.answered', { status: status ?? 0 });
  const id = `webhooks.error.${error}`;
  return has(id) ? text(id as 'webhooks.error.timeout') : error;
}

import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { Activity } from './activity.tsx';
import { DeleteSubscription, RotateSecret, SendTest } from './commands.tsx';
import { Deliveries } from './deliveries.tsx';
import { Health, Trouble } from './health.tsx';
import { Recovery, StartRecovery } from './recovery.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import {
  nameOf,
  refreshWebhooks,
  subjectOfSubscription,
  useEventTypes,
  useSubscription,
  type Subscription,
  type WebhookOwner,
} from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

type Doing = 'change' | 'test' | 'rotate' | 'recover' | 'delete';

/** One subscription: its health, what can be done with it, and its deliveries. */
export function Webhook({ id, owner }: { readonly owner: WebhookOwner; readonly id: string }) {
  const subscription = useSubscription(owner, id);
  const { data, error, refetch } = subscription;
  const back = <Link href={owner.path}>{text('webhooks.back')}</Link>;
  if (data) return <Details subscription={data} back={back} owner={owner} />;
  return (
    <Page title={text('nav.webhooks')} lead={back}>
      {error ? (
        <ErrorNotice error={error} onRetry={() => inBackground(refetch())} />
      ) : (
        <Skeleton label={text('nav.webhooks')} />
      )}
    </Page>
  );
}

interface DetailsProps {
  readonly owner: WebhookOwner;
  readonly subscription: Subscription;
  readonly back: ReactNode;
}

function Details({ owner, subscription, back }: DetailsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const types = useEventTypes(owner).data ?? [];
  const say = useToast();
  const { id, enabled } = subscription;
  const { scopes } = owner;
  const close = () => setDoing(null);
  const enable = useMutation({
    mutationFn: () =>
      gatehouse.patch(`${owner.api}/subscriptions/{id}`, {
        params: { path: { id } },
        body: { enabled: !enabled },
      }),
    onSuccess: async () => {
      await refreshWebhooks(owner);
      say(text(enabled ? 'webhooks.disable.done' : 'webhooks.enable.done'));
    },
  });
  const menu = (
    <ActionMenu
      label={text('webhooks.actions')}
      subject={subjectOfSubscription(owner, id)}
      actions={[
        { label: text('webhooks.test'), scope: scopes.test, run: () => setDoing('test') },
        {
          label: text('webhooks.change'),
          scope: scopes.update,
          run: () => setDoing('change'),
        },
        {
          label: text('secret.rotate'),
          scope: scopes.rotate,
          run: () => setDoing('rotate'),
        },
        {
          label: text(enabled ? 'webhooks.disable' : 'webhooks.enable'),
          scope: scopes.update,
          run: () => enable.mutate(),
        },
        {
          label: text('webhooks.delete'),
          scope: scopes.delete,
          danger: true,
          run: () => setDoing('delete'),
        },
      ]}
    />
  );
  const props = { owner, subscription, onClose: close };
  return (
    <Page title={nameOf(subscription)} lead={back} action={menu}>
      {enable.error && <ErrorNotice error={enable.error} onRetry={() => enable.mutate()} />}
      <Trouble subscription={subscription} />
      <Recovery owner={owner} subscription={subscription} />
      <Activity owner={owner} id={id} />
      <Facts subscription={subscription} />
      {owner.mayReadDeliveries && (
        <Deliveries
          owner={owner}
          subscription={subscription}
          mayRedeliver={owner.mayRedeliver}
          onRecover={() => setDoing('recover')}
        />
      )}
      {doing === 'change' && <SubscriptionForm types={types} {...props} />}
      {doing === 'test' && <SendTest types={types} {...props} />}
      {doing === 'rotate' && <RotateSecret {...props} />}
      {doing === 'recover' && <StartRecovery {...props} />}
      {doing === 'delete' && <DeleteSubscription {...props} />}
    </Page>
  );
}

function Facts({ subscription }: { readonly subscription: Subscription }) {
  const { url, types, ordering, signing, subjectPrefix, includePersonalData, createdAt } = subscription;
  const facts: [string, ReactNode][] = [
    [text('webhooks.status'), <Health key="health" subscription={subscription} />],
    [text('webhooks.url'), <code key="url">{url}</code>],
    [
      text('webhooks.types'),
      <span key="types" className="chips">
        {types.map((type) => (
          <code key={type}>{type}</code>
        ))}
      </span>,
    ],
    ...(subjectPrefix === null
      ? []
      : [[text('webhooks.subject'), <code key="subject">{subjectPrefix}</code>] as [string, ReactNode]]),
    [text('webhooks.ordering'), text(`webhooks.ordering.${ordering}`)],
    [text('webhooks.signing'), text(`webhooks.signing.${signing}`)],
    [text('webhooks.personal'), text(includePersonalData ? 'yes' : 'no')],
    [text('webhooks.created-at'), <Time key="created" value={createdAt} />],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

const FactRow = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { ActionMenu } from '../../../ui/action-menu.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OrganizationProps } from '../allowed.ts';
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
} from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

type Doing = 'change' | 'test' | 'rotate' | 'recover' | 'delete';

/** One subscription: its health, what can be done with it, and its deliveries. */
export function Webhook({ id, ...props }: OrganizationProps & { readonly id: string }) {
  const subscription = useSubscription(props.tenantId, id);
  const { data, error, refetch } = subscription;
  const back = <Link href={pathIn(PAGE_PATHS.webhooks, props.tenantId)}>{text('webhooks.back')}</Link>;
  if (data) return <Details subscription={data} back={back} {...props} />;
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

interface DetailsProps extends OrganizationProps {
  readonly subscription: Subscription;
  readonly back: ReactNode;
}

function Details({ tenantId, allowed, subscription, back }: DetailsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const types = useEventTypes(tenantId).data ?? [];
  const say = useToast();
  const { id, enabled } = subscription;
  const close = () => setDoing(null);
  const enable = useMutation({
    mutationFn: () =>
      gatehouse.patch('/api/v1/webhooks/subscriptions/{id}', {
        params: { path: { id } },
        body: { enabled: !enabled },
      }),
    onSuccess: async () => {
      await refreshWebhooks(tenantId);
      say(text(enabled ? 'webhooks.disable.done' : 'webhooks.enable.done'));
    },
  });
  const menu = (
    <ActionMenu
      label={text('webhooks.actions')}
      subject={subjectOfSubscription(id)}
      actions={[
        { label: text('webhooks.test'), scope: 'webhooks:subscription:test', run: () => setDoing('test') },
        {
          label: text('webhooks.change'),
          scope: 'webhooks:subscription:update',
          run: () => setDoing('change'),
        },
        {
          label: text('secret.rotate'),
          scope: 'webhooks:subscription:rotate',
          run: () => setDoing('rotate'),
        },
        {
          label: text(enabled ? 'webhooks.disable' : 'webhooks.enable'),
          scope: 'webhooks:subscription:update',
          run: () => enable.mutate(),
        },
        {
          label: text('webhooks.delete'),
          scope: 'webhooks:subscription:delete',
          danger: true,
          run: () => setDoing('delete'),
        },
      ]}
    />
  );
  const props = { tenantId, subscription, onClose: close };
  return (
    <Page title={nameOf(subscription)} lead={back} action={menu}>
      {enable.error && <ErrorNotice error={enable.error} onRetry={() => enable.mutate()} />}
      <Trouble subscription={subscription} />
      <Recovery tenantId={tenantId} subscription={subscription} />
      <Activity tenantId={tenantId} id={id} />
      <Facts subscription={subscription} />
      {allowed['webhooks:delivery:read'] && (
        <Deliveries
          tenantId={tenantId}
          subscription={subscription}
          mayRedeliver={allowed['webhooks:delivery:redeliver']}
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
    <section className="sheet section">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
      </dl>
    </section>
  );
}

const FactRow = ({ name, value }: { readonly name: string; readonly value: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { ActivityBars } from './activity.tsx';
import { Catalogue } from './catalogue.tsx';
import { Health } from './health.tsx';
import { Secret } from './secret.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import {
  nameOf,
  type Subscription,
  useActivity,
  useEventTypes,
  useSubscriptions,
} from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

/** Path of the page of a subscription. */
const pathOf = (tenantId: string, id: string): string =>
  pathIn(PAGE_PATHS.webhook, tenantId).replace(':subscriptionId', id);

interface Created {
  readonly id: string;
  readonly secret: string;
}

const columnsOf = (
  tenantId: string,
  activities: ReturnType<typeof useActivity>['data'],
): Column<Subscription>[] => [
  {
    key: 'name',
    label: text('webhooks.url'),
    cell: (subscription) => (
      <>
        <Link href={pathOf(tenantId, subscription.id)} className="name" title={subscription.url}>
          {nameOf(subscription)}
        </Link>
        <span className="under">{text(`webhooks.status.${subscription.status}`)}</span>
      </>
    ),
  },
  {
    key: 'types',
    label: text('webhooks.types'),
    isWide: true,
    cell: ({ types }) => (
      <span title={types.join(', ')}>
        {text('webhooks.filters', { first: types[0] ?? '', others: types.length - 1 })}
      </span>
    ),
  },
  {
    key: 'activity',
    label: text('webhooks.activity'),
    cell: ({ id }) => <ActivityBars activities={activities} id={id} />,
  },
  {
    key: 'status',
    label: text('members.status'),
    isWide: true,
    cell: (subscription) => <Health subscription={subscription} />,
  },
];

/** Lists and creates subscriptions to events, and lists the types of events. */
export function Webhooks({ tenantId, allowed }: OrganizationProps) {
  const subscriptions = useSubscriptions(tenantId);
  const { data: activities } = useActivity(tenantId);
  const types = useEventTypes(tenantId);
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  const [, navigate] = useLocation();
  const add = allowed['webhooks:subscription:create'] && (
    <Button look="primary" onPress={() => setAdding(true)}>
      {text('webhooks.new')}
    </Button>
  );
  return (
    <Page title={text('nav.webhooks')} lead={text('webhooks.lead')} action={add}>
      <Table
        query={subscriptions}
        label={text('nav.webhooks')}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId, activities)}
        empty={<Empty title={text('webhooks.empty')} lead={text('webhooks.empty.text')} />}
      />
      {types.error && <ErrorNotice error={types.error} onRetry={() => inBackground(types.refetch())} />}
      {types.isPending && <Skeleton label={text('webhooks.types')} />}
      {types.data && <Catalogue types={types.data} />}
      {isAdding && types.data && (
        <SubscriptionForm
          tenantId={tenantId}
          subscription={null}
          types={types.data}
          onClose={() => setAdding(false)}
          onCreated={setCreated}
        />
      )}
      {created && (
        <Secret
          secret={created.secret}
          onClose={() => navigate(pathOf(tenantId, created.id))}
          title={text('webhooks.created')}
        />
      )}
    </Page>
  );
}

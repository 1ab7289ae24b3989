import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { useWholeTable } from '../../../ui/whole-table.ts';
import { ActivityBars } from './activity.tsx';
import { Catalogue } from './catalogue.tsx';
import { Health } from './health.tsx';
import { Secret } from './secret.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import {
  nameOf,
  pathOf,
  type Subscription,
  useActivity,
  useEventTypes,
  useSubscriptions,
  type WebhookOwner,
} from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

interface Created {
  readonly id: string;
  readonly secret: string;
}

const columnsOf = (
  owner: WebhookOwner,
  activities: ReturnType<typeof useActivity>['data'],
): Column<Subscription>[] => [
  {
    key: 'name',
    label: text('webhooks.url'),
    sort: 'name',
    cell: (subscription) => (
      <>
        <Link href={pathOf(owner, subscription.id)} className="name" title={subscription.url}>
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
    label: text('webhooks.activity.column'),
    cell: ({ id }) => <ActivityBars activities={activities} id={id} />,
  },
  {
    key: 'status',
    label: text('members.status'),
    sort: 'status',
    isWide: true,
    cell: (subscription) =>
      subscription.status === 'active' ? (
        text('webhooks.status.active')
      ) : (
        <Health subscription={subscription} />
      ),
  },
];

/** Lists and creates subscriptions to events, and lists the types of events. */
export function Webhooks({ owner }: { readonly owner: WebhookOwner }) {
  const { table } = useWholeTable(useSubscriptions(owner), {
    by: { name: nameOf, status: ({ status }) => text(`webhooks.status.${status}`) },
    first: 'name',
  });
  const { data: activities } = useActivity(owner);
  const types = useEventTypes(owner);
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<Created | null>(null);
  const [, navigate] = useLocation();
  const add = owner.mayCreate && (
    <Button look="primary" onPress={() => setAdding(true)}>
      {text('webhooks.new')}
    </Button>
  );
  return (
    <Page title={text('nav.webhooks')} lead={text(owner.lead)} action={add}>
      <Table
        {...table}
        label={text('nav.webhooks')}
        count={(count) => text('webhooks.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(owner, activities)}
        empty={<Empty title={text('webhooks.empty')} lead={text('webhooks.empty.text')} />}
      />
      {types.error && <ErrorNotice error={types.error} onRetry={() => inBackground(types.refetch())} />}
      {types.isPending && <Skeleton label={text('webhooks.types')} />}
      {types.data && <Catalogue types={types.data} />}
      {isAdding && types.data && (
        <SubscriptionForm
          owner={owner}
          subscription={null}
          types={types.data}
          onClose={() => setAdding(false)}
          onCreated={setCreated}
        />
      )}
      {created && (
        <Secret
          secret={created.secret}
          onClose={() => navigate(pathOf(owner, created.id))}
          title={text('webhooks.created')}
        />
      )}
    </Page>
  );
}

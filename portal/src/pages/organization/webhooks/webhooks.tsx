import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, List, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { Catalogue } from './catalogue.tsx';
import { Secret } from './secret.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { SubscriptionSummary } from './subscription-summary.tsx';
import { useActivity, useEventTypes, useSubscriptions } from './webhook-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

/** Path of the page of a subscription. */
const pathOf = (tenantId: string, id: string): string =>
  pathIn(PAGE_PATHS.webhook, tenantId).replace(':subscriptionId', id);

interface Created {
  readonly id: string;
  readonly secret: string;
}

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
      <List
        query={subscriptions}
        label={text('nav.webhooks')}
        keyOf={({ id }) => id}
        empty={<Empty title={text('webhooks.empty')} lead={text('webhooks.empty.text')} />}
      >
        {(subscription) => (
          <Link href={pathOf(tenantId, subscription.id)} className="item plain item-link">
            <SubscriptionSummary subscription={subscription} activities={activities} />
          </Link>
        )}
      </List>
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

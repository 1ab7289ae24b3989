import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { text } from '../../../messages/index.ts';
import { PAGE_PATHS, pathIn } from '../../../session/paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty, List, Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Page } from '../../../ui/page.tsx';
import type { OrganizationProps } from '../allowed.ts';
import { ActivityBars } from './activity.tsx';
import { Catalogue } from './catalogue.tsx';
import { Secret } from './secret.tsx';
import { Health } from './health.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { nameOf, useEventTypes, useSubscriptions } from './webhook-queries.ts';
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
            <span className="what">
              <strong>{nameOf(subscription)}</strong>
              <span className="soft small">{subscription.url}</span>
              <span className="soft small">
                {text('webhooks.filters', {
                  first: subscription.types[0] ?? '',
                  others: subscription.types.length - 1,
                })}
              </span>
            </span>
            <span className="end wraps">
              <ActivityBars tenantId={tenantId} id={subscription.id} />
              <Health subscription={subscription} />
            </span>
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

import { useQuery } from '@tanstack/react-query';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Empty, List, useList } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Trouble } from '../organization/webhooks/health.tsx';
import { SubscriptionSummary } from '../organization/webhooks/subscription-summary.tsx';

/** Pause between reads of the counts of attempts. */
const POLL_MS = 30_000;

/** Subscriptions to the events of the platform, and how their deliveries go. */
export function PlatformWebhooks() {
  const subscriptions = useList(
    ['operator', 'webhooks'],
    async (cursor) =>
      (await gatehouse.get('/api/v1/operator/webhooks/subscriptions', { params: { query: { cursor } } }))
        .data,
  );
  const { data: activities } = useQuery({
    queryKey: ['operator', 'webhooks', 'activity'],
    queryFn: async () => (await gatehouse.get('/api/v1/operator/webhooks/activity')).data,
    refetchInterval: POLL_MS,
  });
  const reference = rich('operator.webhooks.reference', {
    link: (inside) => <a href="/api/docs/operations/createPlatformSubscription">{inside}</a>,
  });
  return (
    <Page title={text('nav.webhooks')} lead={text('operator.webhooks.lead')}>
      <List
        query={subscriptions}
        label={text('nav.webhooks')}
        keyOf={({ id }) => id}
        empty={
          <Empty title={text('webhooks.empty')}>
            <p>{reference}</p>
          </Empty>
        }
      >
        {(subscription) => (
          <>
            <div className="item plain">
              <SubscriptionSummary subscription={subscription} activities={activities} />
            </div>
            <Trouble subscription={subscription} />
          </>
        )}
      </List>
      {(subscriptions.data?.length ?? 0) > 0 && <p className="soft small">{reference}</p>}
    </Page>
  );
}

import type { components } from '@gatehouse/client';
import { text } from '../../../messages/index.ts';
import { ActivityBars } from './activity.tsx';
import { Health } from './health.tsx';
import { nameOf, type Subscription } from './webhook-queries.ts';

interface Props {
  readonly subscription: Subscription;
  readonly activities: components['schemas']['SourcesResponse'] | undefined;
}

/** A subscription in a list: where to, of what, and how it goes. */
export function SubscriptionSummary({ subscription, activities }: Props) {
  const { id, url, types } = subscription;
  return (
    <>
      <span className="what">
        <strong>{nameOf(subscription)}</strong>
        <span className="soft small">{url}</span>
        <span className="soft small">
          {text('webhooks.filters', { first: types[0] ?? '', others: types.length - 1 })}
        </span>
      </span>
      <span className="end wraps">
        <ActivityBars activities={activities} id={id} />
        <Health subscription={subscription} />
      </span>
    </>
  );
}

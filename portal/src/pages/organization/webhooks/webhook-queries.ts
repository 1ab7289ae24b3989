import { useQuery } from '@tanstack/react-query';
import type { components } from '@gatehouse/client';
import { has, text, useLocale } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList } from '../../../ui/list.tsx';

export type Subscription = components['schemas']['SubscriptionResponse'];
export type Delivery = components['schemas']['DeliveryResponse'];
export type EventType = components['schemas']['EventTypeResponse'];

/** Pause between reads of what is being delivered. */
const POLL_MS = 2_000;

/** Pause between reads of the counts of attempts, which are some seconds old. */
const ACTIVITY_MS = 30_000;

const keys = {
  all: (tenantId: string) => ['organization', tenantId, 'webhooks'] as const,
  one: (tenantId: string, id: string) => [...keys.all(tenantId), 'one', id] as const,
  deliveries: (tenantId: string, id: string) => [...keys.all(tenantId), 'deliveries', id] as const,
};

/** Reads again what the pages of webhooks show. */
export const refreshWebhooks = (tenantId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keys.all(tenantId) });

/**
 * Shows a replay that has just been started until a read says that it has ended, after which the
 * deliveries are read again. A read now could come before its deliveries and after its end.
 */
export const showReplay = (tenantId: string, id: string, since: string): void => {
  queryClient.setQueryData<Subscription>(
    keys.one(tenantId, id),
    (known) => known && { ...known, recoveringSince: since },
  );
};

export const useSubscriptions = (tenantId: string) =>
  useList(
    [...keys.all(tenantId), 'list'],
    async (cursor) =>
      (await gatehouse.get('/api/v1/webhooks/subscriptions', { params: { query: { cursor } } })).data,
  );

export const useSubscription = (tenantId: string, id: string) =>
  useQuery({
    queryKey: keys.one(tenantId, id),
    queryFn: async () =>
      (await gatehouse.get('/api/v1/webhooks/subscriptions/{id}', { params: { path: { id } } })).data,
    refetchInterval: ({ state }) => (state.data?.recoveringSince ? POLL_MS : false),
  });

/** Reads the attempts of the last 24 hours, by subscription. */
export const useActivity = (tenantId: string) =>
  useQuery({
    queryKey: [...keys.all(tenantId), 'activity'],
    queryFn: async () => (await gatehouse.get('/api/v1/webhooks/activity')).data,
    refetchInterval: ACTIVITY_MS,
  });

/** Translates what the service's own types say; those of other modules keep what they declare. */
function translated(item: EventType): EventType {
  const id = `webhooks.type.${item.type}`;
  return has(id) ? { ...item, description: text(id) } : item;
}

/** The types that the user may subscribe to, of all modules. */
export function useEventTypes(tenantId: string) {
  const locale = useLocale();
  return useQuery({
    queryKey: [...keys.all(tenantId), 'types', locale],
    queryFn: async () => (await gatehouse.get('/api/v1/webhooks/event-types')).data.items.map(translated),
  });
}

/**
 * Reads deliveries, again and again while one is being sent.
 * @param isRecovering whether a replay adds some
 */
export const useDeliveries = (
  tenantId: string,
  id: string,
  { state, isRecovering }: { state: Delivery['state'] | undefined; isRecovering: boolean },
) =>
  useList(
    [...keys.deliveries(tenantId, id), state],
    async (cursor) =>
      (
        await gatehouse.get('/api/v1/webhooks/subscriptions/{id}/deliveries', {
          params: { path: { id }, query: { cursor, state } },
        })
      ).data,
    { pollMs: POLL_MS, isChanging: (items) => isRecovering || items.some(isBeingSent) },
  );

/** Reads a delivery with its attempts and its event, again after each attempt. */
export const useDelivery = (tenantId: string, { id, subscriptionId, attempts, state }: Delivery) =>
  useQuery({
    queryKey: [...keys.deliveries(tenantId, subscriptionId), 'attempts', id, attempts, state],
    queryFn: async () =>
      (
        await gatehouse.get('/api/v1/webhooks/deliveries/{deliveryId}', {
          params: { path: { deliveryId: id } },
        })
      ).data,
  });

/** Time until which a delivery counts as about to be sent. */
const SOON_MS = 30_000;

const isBeingSent = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === 'claimed' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS);

/** Subject of a subscription, as the permission check names it. */
export const subjectOfSubscription = (id: string): string => `gatehouse:///webhooks/subscriptions/${id}`;

/** Name of a subscription for people. */
export const nameOf = ({ description, url }: Subscription): string => description ?? new URL(url).host;

/** Returns what lists of types need: `iam.member.joined` is in the group `iam.member`. */
export const entryOfType = ({ type, description }: EventType) => ({
  id: type,
  group: type.slice(0, type.lastIndexOf('.')),
  words: [description],
});

/** Returns whether a filter of a subscription matches a type. */
export const matches = (filter: string, type: string): boolean =>
  filter.endsWith('*') ? type.startsWith(filter.slice(0, -1)) : filter === type;

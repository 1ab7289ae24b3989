import { useQuery, type QueryKey } from '@tanstack/react-query';
import type { components, Scope } from '@gatehouse/client';
import { has, text, useLocale, type MessageId } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { useList, useWhole } from '../../../ui/list.tsx';

export type Subscription = components['schemas']['SubscriptionResponse'];
export type Delivery = components['schemas']['DeliveryResponse'];
export type EventType = components['schemas']['EventTypeResponse'];

/** Pause between reads of what is being delivered. */
const POLL_MS = 2_000;

/** Pause between reads of the counts of attempts, which are some seconds old. */
const ACTIVITY_MS = 30_000;

/** Whose subscriptions the pages show: an organization's, or those to events of the platform. */
export interface WebhookOwner {
  readonly api: '/api/v1/webhooks' | '/api/v1/operator/webhooks';
  /** Begins the keys of its queries. */
  readonly key: QueryKey;
  /** Path of the list. */
  readonly path: string;
  readonly lead: MessageId;
  readonly mayCreate: boolean;
  readonly mayReadDeliveries: boolean;
  readonly mayRedeliver: boolean;
  /** Collection of the subjects of its subscriptions. */
  readonly collection: string;
  /** Scope of each action, for the permission check. */
  readonly scopes: Readonly<Record<'test' | 'update' | 'rotate' | 'delete', Scope>>;
}

const keys = {
  one: ({ key }: WebhookOwner, id: string) => [...key, 'one', id] as const,
  deliveries: ({ key }: WebhookOwner, id: string) => [...key, 'deliveries', id] as const,
};

/** Path of the page of a subscription. */
export const pathOf = ({ path }: WebhookOwner, id: string): string => `${path}/${id}`;

/** Reads again what the pages of webhooks show. */
export const refreshWebhooks = ({ key }: WebhookOwner): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: key });

/**
 * Shows a replay that has just been started until a read says that it has ended, after which the
 * deliveries are read again. A read now could come before its deliveries and after its end.
 */
export const showReplay = (owner: WebhookOwner, id: string, since: string): void => {
  queryClient.setQueryData<Subscription>(
    keys.one(owner, id),
    (known) => known && { ...known, recoveringSince: since },
  );
};

export const useSubscriptions = ({ api, key }: WebhookOwner) =>
  useWhole(
    [...key, 'list'],
    async (query) => (await gatehouse.get(`${api}/subscriptions`, { params: { query } })).data,
  );

export const useSubscription = (owner: WebhookOwner, id: string) =>
  useQuery({
    queryKey: keys.one(owner, id),
    queryFn: async () =>
      (await gatehouse.get(`${owner.api}/subscriptions/{id}`, { params: { path: { id } } })).data,
    refetchInterval: ({ state }) => (state.data?.recoveringSince ? POLL_MS : false),
  });

/** Reads the attempts of the last 24 hours, by subscription. */
export const useActivity = ({ api, key }: WebhookOwner) =>
  useQuery({
    queryKey: [...key, 'activity'],
    queryFn: async () => (await gatehouse.get(`${api}/activity`)).data,
    refetchInterval: ACTIVITY_MS,
  });

/** Translates what the service's own types say; those of other modules keep what they declare. */
function translated(item: EventType): EventType {
  const id = `webhooks.type.${item.type}`;
  return has(id) ? { ...item, description: text(id) } : item;
}

/** The types that the user may subscribe to, of all modules. */
export function useEventTypes({ api, key }: WebhookOwner) {
  const locale = useLocale();
  return useQuery({
    queryKey: [...key, 'types', locale],
    queryFn: async () => (await gatehouse.get(`${api}/event-types`)).data.items.map(translated),
  });
}

/**
 * Reads deliveries, again and again while one is being sent.
 * @param isRecovering whether a replay adds some
 */
export const useDeliveries = (
  owner: WebhookOwner,
  id: string,
  { state, isRecovering }: { state: Delivery['state'] | undefined; isRecovering: boolean },
) =>
  useList(
    [...keys.deliveries(owner, id), state],
    async (cursor) =>
      (
        await gatehouse.get(`${owner.api}/subscriptions/{id}/deliveries`, {
          params: { path: { id }, query: { cursor, state } },
        })
      ).data,
    { pollMs: POLL_MS, isChanging: (items) => isRecovering || items.some(isBeingSent) },
  );

/** Reads a delivery with its attempts and its event, again after each attempt. */
export const useDelivery = (owner: WebhookOwner, { id, subscriptionId, attempts, state }: Delivery) =>
  useQuery({
    queryKey: [...keys.deliveries(owner, subscriptionId), 'attempts', id, attempts, state],
    queryFn: async () =>
      (
        await gatehouse.get(`${owner.api}/deliveries/{deliveryId}`, {
          params: { path: { deliveryId: id } },
        })
      ).data,
  });

/** Time until which a delivery counts as about to be sent. */
const SOON_MS = 30_000;

const isBeingSent = ({ state, nextAttemptAt }: Delivery): boolean =>
  state === 'claimed' || (nextAttemptAt !== null && Date.parse(nextAttemptAt) < Date.now() + SOON_MS);

/** Subject of a subscription, as the permission check names it. */
export const subjectOfSubscription = ({ collection }: WebhookOwner, id: string): string =>
  `gatehouse:///webhooks/${collection}/${id}`;

/** Name of a subscription for people. */
export const nameOf = ({ description, url }: Subscription): string => {
  const { host, pathname } = new URL(url);
  return description ?? host + pathname.replace(/\/$/, '');
};

/** Returns what lists of types need: `iam.member.joined` is in the group `iam.member`. */
export const entryOfType = ({ type, description }: EventType) => ({
  id: type,
  group: type.slice(0, type.lastIndexOf('.')),
  words: [description],
});

/** Returns whether a filter of a subscription matches a type. */
export const matches = (filter: string, type: string): boolean =>
  filter.endsWith('*') ? type.startsWith(filter.slice(0, -1)) : filter === type;

import { type Deed, ifArchived, type Intent, reading, type ScopeFacts } from './facts.js';
import { holds, PLATFORM, type World } from './world.js';

/** Address that may be subscribed. Nothing is sent to it: no subscription of a world is enabled. */
export const HOOK = 'https://hooks.example.com/';

const READ = 'webhooks:operator-webhook:read';

/** Types of events, with the scope that reads them. */
const TYPES: Readonly<Record<string, string>> = {
  'iam.invitation.created': 'iam:invitation:read',
  'iam.member.joined': 'iam:member:read',
  'iam.role.created': 'iam:role:read',
};

/** Type of the subscriptions that a world begins with. */
export const SEEDED_TYPE = 'iam.member.joined';
/** Types of the subscriptions that are created in a world, by id. */
const createdTypes = new WeakMap<World, Map<string, string>>();

const needs = (scope: string): string => `It needs the permission ${scope}.`;

/** The secret of a subscription signs its events, so that its caller must be able to read them. */
function whyNotRotate({ world, caller, id }: Intent): string | false {
  const scope = TYPES[createdTypes.get(world)?.get(id) ?? SEEDED_TYPE]!;
  return !holds(caller, scope) && needs(scope);
}

/**
 * Maximum number of subscriptions of the platform in a world. All worlds share its 50, and the
 * spec walks through six at a time.
 */
const MAX_OF_PLATFORM = 7;

const subscribingTo = (types: readonly string[]) => ({ url: HOOK, types, enabled: false });

/** Chooses a type that the caller may read. */
function readableType({ caller, choice }: Deed): string | undefined {
  const readable = Object.keys(TYPES).filter((type) => holds(caller, TYPES[type]!));
  return readable[choice % readable.length];
}

/** Returns whether the subject is what the path names: a scope can be of both kinds. */
function isNamed({ world: { subscriptions, deliveries }, id, route }: Deed): boolean {
  if (route.includes('/subscriptions/:')) return subscriptions.has(id);
  return !route.includes('/deliveries/:') || deliveries.has(id);
}

const readingOne: ScopeFacts = { ...reading, body: (deed) => (isNamed(deed) ? undefined : null) };

/** Deletes a subscription, which hides its deliveries. */
function deleteSubscription({ subscriptions, deliveries }: World, id: string): void {
  subscriptions.delete(id);
  for (const [delivery, { subscriptionId }] of deliveries)
    if (subscriptionId === id) deliveries.delete(delivery);
}

/** Commands that deliver. None succeeds, as no subscription of a world is enabled. */
const delivering: ScopeFacts = { whyNot: ifArchived, body: () => null, done: () => undefined };

function bodyOfOperator(deed: Deed): object | null | undefined {
  const { world, route, caller } = deed;
  const [method, path = ''] = route.split(' ');
  if (/\/(?:test|redeliver|recover)$/.test(path)) return null; // as `delivering`
  if (method === 'PATCH') return isNamed(deed) ? { description: 'Changed' } : null;
  if (!path.endsWith('/subscriptions')) return isNamed(deed) ? undefined : null;
  // A subscription takes the scope to read as well.
  if (world.operatorScopes.get(caller.user.id)?.includes(READ) === false) return null;
  const ofPlatform = [...world.subscriptions.values()].filter((tenantId) => tenantId === PLATFORM);
  return ofPlatform.length < MAX_OF_PLATFORM ? subscribingTo(['*']) : null;
}

export const WEBHOOK_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'webhooks:event:read': reading,
  'webhooks:subscription:read': reading,
  'webhooks:subscription:create': {
    whyNot: ifArchived,
    body: (deed) => {
      const type = readableType(deed);
      return type === undefined ? null : subscribingTo([type]);
    },
    done: ({ world, caller }, { types: [type = ''] }: ReturnType<typeof subscribingTo>, { id }) => {
      world.subscriptions.set(id, caller.tenant!.id);
      const types = createdTypes.get(world) ?? new Map<string, string>();
      createdTypes.set(world, types.set(id, type));
    },
  },
  'webhooks:subscription:update': {
    whyNot: ifArchived,
    body: () => ({ description: 'Changed' }),
    done: () => undefined,
  },
  'webhooks:subscription:delete': {
    whyNot: ifArchived,
    done: ({ world, id }) => deleteSubscription(world, id),
  },
  'webhooks:subscription:rotate': {
    whyNot: (intent) => ifArchived(intent) || whyNotRotate(intent),
    done: () => undefined,
  },
  'webhooks:subscription:test': delivering,
  'webhooks:delivery:read': readingOne,
  'webhooks:delivery:redeliver': delivering,
  'webhooks:operator-webhook:read': readingOne,
  'webhooks:operator-webhook:rotate': {
    whyNot: ({ world, caller }) =>
      world.operatorScopes.get(caller.user.id)?.includes(READ) === false && needs(READ),
    body: (deed) => (isNamed(deed) ? undefined : null),
    done: () => undefined,
  },
  'webhooks:operator-webhook:manage': {
    whyNot: () => undefined,
    body: bodyOfOperator,
    done: (deed, _: object, answer) => {
      const { subscriptions } = deed.world;
      if (deed.route.endsWith('/subscriptions')) subscriptions.set(answer.id, PLATFORM);
      else if (deed.route.startsWith('DELETE') && deed.route.endsWith('/:id'))
        deleteSubscription(deed.world, deed.id);
    },
  },
};

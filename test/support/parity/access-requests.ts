import { ifArchived, type Intent, type ScopeFacts, tenantOf } from './facts.js';
import { type AccessRequest, type Caller, holds } from './world.js';

const OWN = 'You cannot decide about your own request. Ask another owner or admin.';
const OF_ANOTHER = 'Only the member who asked can withdraw a request.';
const DECIDED = 'The request is decided, withdrawn or expired already.';

/** Reasons for which the state of a request forbids a command. */
export const REQUEST_SENTENCES: readonly string[] = [OWN, OF_ANOTHER, DECIDED];

/** Reasons with which the command answers 409. */
export const REQUEST_CONFLICTS: readonly string[] = [DECIDED];

const requestOf = (intent: Intent): AccessRequest => tenantOf(intent).requests.get(intent.id)!;
const ifDecided = (intent: Intent) => !requestOf(intent).isPending && DECIDED;
const isOwn = (intent: Intent): boolean => requestOf(intent).userId === intent.caller.user.id;

/** Only those who decide see the requests of others. */
export const seesRequest = (caller: Caller, id: string): boolean =>
  caller.tenant?.requests.get(id)?.userId === caller.user.id || holds(caller, 'iam:access-request:decide');

export const REQUEST_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:access-request:create': {
    whyNot: ifArchived,
    // Service accounts are no members: organizations/access-requests.spec.ts.
    body: ({ caller: { tenant, user } }) => {
      if (!tenant?.members.has(user.id)) return null;
      const asked = [...tenant.requests.values()].filter((one) => one.userId === user.id && one.isPending);
      const role = [...tenant.roles.values()].find(
        ({ id, key }) => key !== 'owner' && !asked.some(({ roleId }) => roleId === id),
      );
      return role ? { role: role.key, hours: 1, reason: 'Night shift' } : null;
    },
    done: (deed, { role }: { role: string }, { id }) => {
      const roleId = [...tenantOf(deed).roles.values()].find(({ key }) => key === role)!.id;
      tenantOf(deed).requests.set(id, { userId: deed.caller.user.id, roleId, isPending: true });
    },
  },
  'iam:access-request:withdraw': {
    whyNot: (intent) => ifArchived(intent) || (!isOwn(intent) && OF_ANOTHER) || ifDecided(intent),
    done: (deed) => void (requestOf(deed).isPending = false),
  },
  'iam:access-request:decide': {
    whyNot: (intent) => ifArchived(intent) || (isOwn(intent) && OWN) || ifDecided(intent),
    // Who approves must be able to give the role: organizations/access-requests.spec.ts.
    body: ({ route }) => (route.endsWith('/approve') ? null : undefined),
    done: (deed) => void (requestOf(deed).isPending = false),
  },
  'iam:access-request:configure': {
    whyNot: ifArchived,
    body: () => ({ maxHours: 12 }),
    done: () => undefined,
  },
};

import { ifArchived, reading, type ScopeFacts, tenantOf } from './facts.js';

/** Workers are members as well: integration/frontline-workers.spec.ts has them. */
const ofNoWorker: ScopeFacts = { whyNot: ifArchived, body: () => null, done: () => undefined };

export const FRONTLINE_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:worker:read': reading,
  'iam:worker:create': ofNoWorker,
  'iam:worker:update': ofNoWorker,
  'iam:worker:delete': ofNoWorker,
  'iam:worker:suspend': ofNoWorker,
  'iam:worker:reinstate': ofNoWorker,
  'iam:worker:reset-pin': ofNoWorker,
  'iam:worker:issue-badge': ofNoWorker,
  'iam:worker:revoke-badge': ofNoWorker,
  'iam:station:read': reading,
  'iam:station:create': {
    whyNot: ifArchived,
    body: () => ({ name: 'New' }),
    done: (deed, _: object, { id }) => void tenantOf(deed).stations.add(id),
  },
  'iam:station:update': {
    whyNot: ifArchived,
    body: () => ({ name: 'Renamed', status: 'disabled' }),
    done: () => undefined,
  },
  'iam:station:delete': { whyNot: ifArchived, done: (deed) => void tenantOf(deed).stations.delete(deed.id) },
};

import { ifArchived, reading, type ScopeFacts, tenantOf } from './facts.js';
import { freshKey, givableRoles } from './givable.js';

/** No organization of a world is offered anything: organizations/partnerships.spec.ts. */
const ofNoPartner: ScopeFacts = { whyNot: ifArchived, body: () => null, done: () => undefined };

export const PARTNERSHIP_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:partnership:read': reading,
  'iam:partnership:create': {
    whyNot: ifArchived,
    body: (deed) => {
      const roles = givableRoles(deed).flatMap(({ key }) => (key === 'owner' ? [] : [key]));
      return roles.length === 0 ? null : { email: `${freshKey()}@example.com`, roles };
    },
    done: (deed, _: object, { id }) => void tenantOf(deed).partnerships.add(id),
  },
  'iam:partnership:update': {
    whyNot: ifArchived,
    body: () => ({ maxPeople: 3 }),
    done: () => undefined,
  },
  'iam:partnership:end': {
    whyNot: ifArchived,
    done: (deed) => void tenantOf(deed).partnerships.delete(deed.id),
  },
  'iam:partner-access:read': reading,
  'iam:partner-access:accept': ofNoPartner,
  'iam:partner-access:leave': ofNoPartner,
  'iam:partner-access:assign': { ...ofNoPartner, others: ({ caller }) => ({ userId: caller.user.id }) },
};

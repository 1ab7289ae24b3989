import { ifArchived, reading, type ScopeFacts, tenantOf } from './facts.js';
import { freshKey } from './givable.js';

const IN_USE = 'A connection uses the domain. Take the domain from the connection first.';

/** Reasons for which the state of a domain or connection forbids a command. */
export const CONNECTION_SENTENCES: readonly string[] = [IN_USE];

export const CONNECTION_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:domain:read': reading,
  'iam:domain:create': {
    whyNot: ifArchived,
    body: () => ({ name: `${freshKey()}.example` }),
    done: (deed, _: object, { id }) => void tenantOf(deed).domains.set(id, { inUse: false }),
  },
  // The record of each domain is found: the spec stands in for the DNS.
  'iam:domain:verify': { whyNot: ifArchived, done: () => undefined },
  'iam:domain:delete': {
    whyNot: (intent) => ifArchived(intent) || (tenantOf(intent).domains.get(intent.id)!.inUse && IN_USE),
    done: (deed) => void tenantOf(deed).domains.delete(deed.id),
  },
};

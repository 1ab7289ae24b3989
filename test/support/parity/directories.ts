import { type Deed, ifArchived, reading, type ScopeFacts } from './facts.js';

/** Maximum number of directories of an organization, less some for walks at the same time. */
const MAX_DIRECTORIES = 8;

const directoryOf = ({ world, id }: Deed) => world.directories.get(id);

export const DIRECTORY_SCOPES: Readonly<Record<string, ScopeFacts>> = {
  'iam:directory:read': reading,
  'iam:directory:create': {
    whyNot: ifArchived,
    body: ({ world, caller }) => {
      const own = [...world.directories.values()].filter(({ tenantId }) => tenantId === caller.tenant?.id);
      return own.length < MAX_DIRECTORIES ? { name: 'New' } : null;
    },
    done: ({ world, caller }, _: object, { id }) =>
      void world.directories.set(id, {
        tenantId: caller.tenant!.id,
        isSeeded: false,
        hasFirstToken: false,
        tokens: 0,
      }),
  },
  'iam:directory:update': {
    whyNot: ifArchived,
    body: (deed) => {
      if (/\/rules(\/preview)?$/.test(deed.route)) return { rules: [] };
      if (!deed.route.endsWith('/retry')) return { name: 'Renamed' };
      return directoryOf(deed)?.isSeeded === true ? undefined : null;
    },
    done: () => undefined,
  },
  'iam:directory:delete': {
    whyNot: ifArchived,
    done: ({ world, id }) => void world.directories.delete(id),
  },
  'iam:directory-token:create': {
    whyNot: ifArchived,
    body: (deed) => ((directoryOf(deed)?.tokens ?? 2) < 2 ? { name: 'New' } : null),
    done: (deed) => void (directoryOf(deed)!.tokens += 1),
  },
  'iam:directory-token:revoke': {
    whyNot: ifArchived,
    body: (deed) => (directoryOf(deed)?.hasFirstToken === true ? undefined : null),
    done: (deed) => {
      const directory = directoryOf(deed)!;
      directory.hasFirstToken = false;
      directory.tokens -= 1;
    },
  },
};

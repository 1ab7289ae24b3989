import type { TenantId } from '../../kernel/index.js';
import type { Command } from '../command.js';
import { PAGE_OPTIONS } from '../options.js';

export const EVENT_COMMANDS: readonly Command[] = [
  {
    name: 'webhook:list',
    description: 'list webhooks in order of creation',
    options: [
      { flags: '--organization <id>', description: 'of this organization; else of the platform' },
      ...PAGE_OPTIONS,
    ],
    columns: ['id', 'url', 'description', 'status', 'reason', 'failingSince'],
    run: (services, options) => services.listWebhooks(options),
  },
  {
    name: 'events:listen',
    description: 'forward events to a server on this machine, as webhooks, until Ctrl+C',
    options: [
      {
        flags: '--forward-to <url>',
        description: 'the server, such as http://localhost:4000',
        required: true,
      },
      { flags: '--organization <id>', description: 'events of this organization; else of the platform' },
      { flags: '--types <type>', description: 'these types, such as iam.member.*', repeatable: true },
      { flags: '--secret <secret>', description: 'signs by it; else by the Ed25519 key of the service' },
    ],
    run: async ({ events }, { forwardTo, organization, types, secret }, report) => {
      const stopping = new AbortController();
      const stop = () => stopping.abort();
      for (const signal of SIGNALS) process.once(signal, stop);
      try {
        return await events.listen(
          {
            forwardTo: String(forwardTo),
            organization: typeof organization === 'string' ? (organization as TenantId) : null,
            types: Array.isArray(types) ? types : [],
            secret: typeof secret === 'string' ? secret : null,
          },
          report,
          stopping.signal,
        );
      } finally {
        for (const signal of SIGNALS) process.off(signal, stop);
      }
    },
  },
];

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

import type { Command } from '../command.js';
import { ACCOUNT } from '../options.js';

export const AUTHENTICATOR_COMMANDS: readonly Command[] = [
  {
    name: 'authenticators:reset',
    description:
      'remove the second factors of a person who has lost them all: after FACTOR_RESET_DELAY, unless the person cancels it',
    options: [
      ACCOUNT,
      { flags: '--reason <text>', description: 'why, for the person and other operators', required: true },
    ],
    run: async (services, { account, reason }) => {
      const accountId = await services.accountId({ account });
      const checked = await services.check('reset', { reason });
      const { effectiveAt } = await services.factorResets.schedule(null, accountId, checked.reason);
      return { accountId, effectiveAt };
    },
  },
  {
    name: 'authenticators:cancel-reset',
    description: 'cancel the reset of a person that waits',
    options: [ACCOUNT],
    run: async (services, options) => {
      const accountId = await services.accountId(options);
      await services.factorResets.cancel(accountId);
      return { accountId, status: 'cancelled' };
    },
  },
];

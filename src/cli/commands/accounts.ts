import type { FoundAccount } from '../../iam/index.js';
import type { Command } from '../command.js';
import { ACCOUNT, type Options, PAGE_OPTIONS, PERSONAL_DATA } from '../options.js';

/** Number of events, as in one page of the API. */
const MAX_SIGN_IN_FAILURES = 100;
const MAX_MAILS = 100;

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: 'account:find',
    description: 'find accounts by any part of their names or address, or one by its id',
    options: [
      { flags: '--query <text>', description: 'part of a name or an address, or an id', required: true },
      PERSONAL_DATA,
      ...PAGE_OPTIONS,
    ],
    run: (services, options) =>
      services.page(
        options,
        (page) => services.accounts.search(String(options['query']), page),
        (account) => presentAccount(account, options),
      ),
  },
  {
    name: 'account:show',
    description: 'show an account',
    options: [ACCOUNT, PERSONAL_DATA],
    run: async ({ accounts, operatorRights }, options) => {
      const account = await accounts.getNamed(String(options['account']));
      const { suspendedAt, passwordHash, company, country, locale } = account;
      return {
        ...presentAccount(account, options),
        suspendedAt,
        hasPassword: passwordHash !== null,
        operator: (await operatorRights.findRights(account.id, false)) !== null,
        ...(options['personalData'] === true ? { company, country, locale } : {}),
      };
    },
  },
  {
    name: 'account:suspend',
    description:
      'suspend an account: ends its sessions at once and refuses sign-ins until restored. Remove an operator first',
    options: [ACCOUNT],
    run: async (services, options) => {
      const accountId = await services.accountId(options);
      await services.suspensions.suspend(accountId);
      return { accountId, status: 'suspended' };
    },
  },
  {
    name: 'account:restore',
    description: 'reactivate a suspended account; ended sessions remain ended',
    options: [ACCOUNT],
    run: async (services, options) => {
      const accountId = await services.accountId(options);
      await services.suspensions.restore(accountId);
      return { accountId, status: 'active' };
    },
  },
  {
    name: 'mail:list',
    description: `list the newest ${MAX_MAILS} mails of 30 days to an account, with the mail server’s answers`,
    options: [ACCOUNT],
    columns: ['createdAt', 'kind', 'state', 'attempts', 'reply'],
    run: async (services, options) => ({
      items: await services.mails.list(await services.address(options), MAX_MAILS),
      nextCursor: null,
    }),
  },
  {
    name: 'account:sign-in-failures',
    description: `list the newest series of failed sign-ins of an account, at most ${MAX_SIGN_IN_FAILURES}`,
    options: [ACCOUNT],
    run: async (services, options) => {
      const accountId = await services.accountId(options);
      const events = await services.auditEvents.listFailures(accountId, MAX_SIGN_IN_FAILURES);
      return {
        accountId,
        series: events.map(({ createdAt, details }) => ({ recordedAt: createdAt, ...details })),
      };
    },
  },
  {
    name: 'sessions:end',
    description: 'end all sessions of an account at once; the user can sign in again',
    options: [ACCOUNT],
    run: async (services, options) => {
      const accountId = await services.accountId(options);
      return { accountId, ended: await services.logouts.logoutAll({ userId: accountId }) };
    },
  },
];

function presentAccount({ id, suspendedAt, createdAt, email, ...person }: FoundAccount, options: Options) {
  return {
    accountId: id,
    status: suspendedAt ? 'suspended' : 'active',
    createdAt,
    ...(options['personalData'] === true ? { email, ...person } : {}),
  };
}

import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import {
  AccountService,
  ErasureList,
  FailedSignIns,
  OperatorService,
  SuspensionService,
} from '../iam/index.js';
import { ValidationPipe } from '../platform/validation/index.js';
import type { UserId } from '../kernel/index.js';
import { RegisterSatelliteDto, SatelliteService, UpdateSatelliteDto } from '../satellite/index.js';
import { LogoutService, SigningKeyService } from '../session/index.js';

type Options = Readonly<Record<string, string | string[] | undefined>>;

/** A command of the operators' command line. */
interface Command {
  readonly usage: string;
  readonly description: string;
  /** Names of the options; those in `repeatable` may be given several times. */
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  readonly repeatable?: readonly string[];
  /** Null if opening the environment, which migrates, is the whole command. */
  readonly run: ((app: INestApplicationContext, options: Options) => Promise<object>) | null;
}

/** Number of events, as in one page of the API. */
const MAX_SIGN_IN_FAILURES = 100;

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { usage: '', description: 'migrate the database to the current schema', required: [], run: null },
  'keys:rotate': {
    usage: '',
    description: 'add a signing key: published within 30 seconds, signs after 10 minutes',
    required: [],
    run: async (app) => ({ kid: await app.get(SigningKeyService).rotate() }),
  },
  'satellite:register': {
    usage: '--client-id ID --name NAME --redirect-uri URI [--redirect-uri URI ...] [--scope SCOPE ...]',
    description: 'register a satellite and print its secret, which cannot be read again',
    required: ['client-id', 'name', 'redirect-uri'],
    optional: ['scope'],
    repeatable: ['redirect-uri', 'scope'],
    run: async (app, options) => {
      const data = await validate(RegisterSatelliteDto, {
        clientId: options['client-id'],
        name: options['name'],
        redirectUris: options['redirect-uri'],
        scopes: options['scope'],
      });
      const { satellite, clientSecret } = await app
        .get(SatelliteService, { strict: false })
        .register(null, data);
      const { id, clientId, name, redirectUris, scopes } = satellite;
      return { id, clientId, clientSecret, name, redirectUris, scopes };
    },
  },
  'satellite:set-scopes': {
    usage: '--client-id ID [--scope SCOPE ...]',
    description: 'replace the scopes of a satellite; without --scope it has none',
    required: ['client-id'],
    optional: ['scope'],
    repeatable: ['scope'],
    run: async (app, options) => {
      const changes = await validate(UpdateSatelliteDto, { scopes: options['scope'] ?? [] });
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId, scopes } = await satellites.update(null, String(options['client-id']), changes);
      return { clientId, scopes };
    },
  },
  'satellite:rotate-secret': {
    usage: '--client-id ID',
    description: 'replace the secret of a satellite; the previous one remains valid for a day',
    required: ['client-id'],
    run: async (app, options) => {
      const clientId = String(options['client-id']);
      const satellites = app.get(SatelliteService, { strict: false });
      return satellites.rotateSecret(null, clientId);
    },
  },
  'satellite:disable': {
    usage: '--client-id ID',
    description: 'disable a satellite: its tokens are refused at once',
    required: ['client-id'],
    run: async (app, options) => {
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId } = await satellites.disable(null, String(options['client-id']));
      return { clientId, status: 'disabled' };
    },
  },
  'satellite:enable': {
    usage: '--client-id ID',
    description: 'enable a disabled satellite',
    required: ['client-id'],
    run: async (app, options) => {
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId } = await satellites.enable(null, String(options['client-id']));
      return { clientId, status: 'active' };
    },
  },
  'operator:grant': {
    usage: '--email ADDRESS',
    description: 'make the account of a verified address a platform operator',
    required: ['email'],
    run: async (app, options) => {
      const operators = app.get(OperatorService, { strict: false });
      return { operatorId: await operators.grant(String(options['email'])) };
    },
  },
  'operator:revoke': {
    usage: '--email ADDRESS',
    description: 'revoke the operator rights of an account at once',
    required: ['email'],
    run: async (app, options) => {
      const operators = app.get(OperatorService, { strict: false });
      return { operatorId: await operators.revoke(String(options['email'])) };
    },
  },
  'account:suspend': {
    usage: '--account ADDRESS|ID',
    description: 'suspend an account: ends its sessions at once and refuses sign-ins until restored',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await getAccountId(app, options);
      await app.get(SuspensionService, { strict: false }).suspend(accountId);
      return { accountId, status: 'suspended' };
    },
  },
  'account:restore': {
    usage: '--account ADDRESS|ID',
    description: 'lift a suspension; ended sessions remain ended',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await getAccountId(app, options);
      await app.get(SuspensionService, { strict: false }).restore(accountId);
      return { accountId, status: 'active' };
    },
  },
  'sessions:end': {
    usage: '--account ADDRESS|ID',
    description: 'end all sessions of an account at once; the person can sign in again',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await getAccountId(app, options);
      const logouts = app.get(LogoutService, { strict: false });
      return { accountId, ended: await logouts.logoutAll({ userId: accountId }) };
    },
  },
  'account:sign-in-failures': {
    usage: '--account ADDRESS|ID',
    description: `list the newest series of failed sign-ins of an account, at most ${MAX_SIGN_IN_FAILURES}`,
    required: ['account'],
    run: async (app, options) => {
      const accountId = await getAccountId(app, options);
      const events = await app.get(FailedSignIns, { strict: false }).list(accountId, MAX_SIGN_IN_FAILURES);
      return {
        accountId,
        series: events.map(({ createdAt, details }) => ({ recordedAt: createdAt, ...details })),
      };
    },
  },
  'erasures:export': {
    usage: '',
    description: 'list the ids of erased accounts, to be kept outside the database and its backups',
    required: [],
    run: (app) => app.get(ErasureList, { strict: false }).export(),
  },
  'erasures:replay': {
    usage: '--file PATH',
    description: 'erase the accounts of an exported list again, after a backup was restored',
    required: ['file'],
    run: (app, options) => app.get(ErasureList, { strict: false }).replay(String(options['file'])),
  },
};

/**
 * Parses the arguments of the command line.
 * @returns null for an unknown command, a missing option or an unknown option
 */
export function parseCommand([name = '', ...rest]: readonly string[]): {
  readonly command: Command;
  readonly options: Options;
} | null {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return null;
  const { required, optional = [], repeatable = [] } = command;
  try {
    const { values } = parseArgs({
      args: [...rest],
      options: Object.fromEntries(
        [...required, ...optional].map((option) => [
          option,
          { type: 'string' as const, multiple: repeatable.includes(option) },
        ]),
      ),
    });
    const complete = required.every((option) => values[option] !== undefined);
    return complete ? { command, options: values as Options } : null;
  } catch {
    return null;
  }
}

/** Returns the list of commands, printed for an unknown one. */
export function usage(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, { usage: options, description }]) => `  ${`${name} ${options}`.trimEnd()}\n      ${description}`,
  );
  return `Usage: npm run cli -- <command>\n${lines.join('\n')}\n`;
}

/**
 * Gets the id of the account that the option names by address or id.
 * @throws {AppError} if there is none
 */
function getAccountId(app: INestApplicationContext, options: Options): Promise<UserId> {
  return app.get(AccountService, { strict: false }).getId(String(options['account']));
}

/**
 * Validates options by the same rules as requests.
 * @throws {AppError} validation-error
 */
async function validate<T extends object>(type: new () => T, values: object): Promise<T> {
  const pipe = new ValidationPipe();
  return (await pipe.transform(values, { type: 'body', metatype: type })) as T;
}

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

/** One thing that an operator can do from the command line. */
interface Command {
  readonly usage: string;
  readonly does: string;
  /** Names of its options; those in `several` may be repeated. */
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  readonly several?: readonly string[];
  /** Null where opening the environment, which migrates, has been all. */
  readonly run: ((app: INestApplicationContext, options: Options) => Promise<object>) | null;
}

/** As many events as a page of the API has. */
const SIGN_IN_FAILURES = 100;

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: { usage: '', does: 'bring the database to the current schema', required: [], run: null },
  'keys:rotate': {
    usage: '',
    does: 'add a signing key: published within half a minute, signing in ten',
    required: [],
    run: async (app) => ({ kid: await app.get(SigningKeyService).rotate() }),
  },
  'satellite:register': {
    usage: '--client-id ID --name NAME --redirect-uri URI [--redirect-uri URI ...] [--scope SCOPE ...]',
    does: 'register a satellite; its secret is printed this once',
    required: ['client-id', 'name', 'redirect-uri'],
    optional: ['scope'],
    several: ['redirect-uri', 'scope'],
    run: async (app, options) => {
      const data = await validated(RegisterSatelliteDto, {
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
    does: 'say what a satellite may do for its visitors; nothing without a scope',
    required: ['client-id'],
    optional: ['scope'],
    several: ['scope'],
    run: async (app, options) => {
      const changes = await validated(UpdateSatelliteDto, { scopes: options['scope'] ?? [] });
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId, scopes } = await satellites.update(null, String(options['client-id']), changes);
      return { clientId, scopes };
    },
  },
  'satellite:rotate-secret': {
    usage: '--client-id ID',
    does: 'give a satellite a new secret; the one before is good for a day more',
    required: ['client-id'],
    run: async (app, options) => {
      const clientId = String(options['client-id']);
      const satellites = app.get(SatelliteService, { strict: false });
      return satellites.rotateSecret(null, clientId);
    },
  },
  'satellite:disable': {
    usage: '--client-id ID',
    does: 'stop a satellite: its tokens are refused at once',
    required: ['client-id'],
    run: async (app, options) => {
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId } = await satellites.disable(null, String(options['client-id']));
      return { clientId, status: 'disabled' };
    },
  },
  'satellite:enable': {
    usage: '--client-id ID',
    does: 'let a satellite go on',
    required: ['client-id'],
    run: async (app, options) => {
      const satellites = app.get(SatelliteService, { strict: false });
      const { clientId } = await satellites.enable(null, String(options['client-id']));
      return { clientId, status: 'active' };
    },
  },
  'operator:grant': {
    usage: '--email ADDRESS',
    does: 'make the owner of a verified address a platform operator',
    required: ['email'],
    run: async (app, options) => {
      const operators = app.get(OperatorService, { strict: false });
      return { operatorId: await operators.grant(String(options['email'])) };
    },
  },
  'operator:revoke': {
    usage: '--email ADDRESS',
    does: 'make somebody an operator no longer, at once',
    required: ['email'],
    run: async (app, options) => {
      const operators = app.get(OperatorService, { strict: false });
      return { operatorId: await operators.revoke(String(options['email'])) };
    },
  },
  'account:suspend': {
    usage: '--account ADDRESS|ID',
    does: 'stop a person: signed out everywhere at once, and no way in until restored',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await accountOf(app, options);
      await app.get(SuspensionService, { strict: false }).suspend(accountId);
      return { accountId, status: 'suspended' };
    },
  },
  'account:restore': {
    usage: '--account ADDRESS|ID',
    does: 'let a person in again; sessions that have ended stay ended',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await accountOf(app, options);
      await app.get(SuspensionService, { strict: false }).restore(accountId);
      return { accountId, status: 'active' };
    },
  },
  'sessions:end': {
    usage: '--account ADDRESS|ID',
    does: 'sign a person out everywhere at once; they can sign in again',
    required: ['account'],
    run: async (app, options) => {
      const accountId = await accountOf(app, options);
      const logouts = app.get(LogoutService, { strict: false });
      return { accountId, ended: await logouts.logoutAll({ userId: accountId }) };
    },
  },
  'account:sign-in-failures': {
    usage: '--account ADDRESS|ID',
    does: `list the newest series of failed sign-ins at an account, ${SIGN_IN_FAILURES} at most`,
    required: ['account'],
    run: async (app, options) => {
      const accountId = await accountOf(app, options);
      const events = await app.get(FailedSignIns, { strict: false }).list(accountId, SIGN_IN_FAILURES);
      return {
        accountId,
        series: events.map(({ createdAt, details }) => ({ recordedAt: createdAt, ...details })),
      };
    },
  },
  'erasures:export': {
    usage: '',
    does: 'list who was erased, by id, to be kept outside the database and its backups',
    required: [],
    run: (app) => app.get(ErasureList, { strict: false }).export(),
  },
  'erasures:replay': {
    usage: '--file PATH',
    does: 'after a backup was restored: erase again whoever is on such a list',
    required: ['file'],
    run: (app, options) => app.get(ErasureList, { strict: false }).replay(String(options['file'])),
  },
};

/** The command and its options; null for what is not one, with all the options it needs and no others. */
export function parseCommand([name = '', ...rest]: readonly string[]): {
  readonly command: Command;
  readonly options: Options;
} | null {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) return null;
  const { required, optional = [], several = [] } = command;
  try {
    const { values } = parseArgs({
      args: [...rest],
      options: Object.fromEntries(
        [...required, ...optional].map((option) => [
          option,
          { type: 'string' as const, multiple: several.includes(option) },
        ]),
      ),
    });
    const complete = required.every((option) => values[option] !== undefined);
    return complete ? { command, options: values as Options } : null;
  } catch {
    return null;
  }
}

/** What there is, for whoever asked for something else. */
export function usage(): string {
  const lines = Object.entries(COMMANDS).map(
    ([name, { usage: options, does }]) => `  ${`${name} ${options}`.trimEnd()}\n      ${does}`,
  );
  return `Usage: npm run cli -- <command>\n${lines.join('\n')}\n`;
}

/** The account that the operator has named. */
function accountOf(app: INestApplicationContext, options: Options): Promise<UserId> {
  return app.get(AccountService, { strict: false }).getId(String(options['account']));
}

/** The same rules as over HTTP. */
async function validated<T extends object>(type: new () => T, values: object): Promise<T> {
  const pipe = new ValidationPipe();
  return (await pipe.transform(values, { type: 'body', metatype: type })) as T;
}

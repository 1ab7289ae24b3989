import { openDatabase, openEnvironment } from '../../environment.js';
import { readSettings, type Settings } from '../../platform/config/index.js';
import { backUpEmbedded, hasCluster, restoreEmbedded } from '../../platform/embedded-postgres/index.js';
import type { Command } from '../command.js';
import { inCallersFolder } from '../options.js';

function requireEmbedded(): Settings {
  const settings = readSettings(process.env);
  if (settings.DATABASE_URL)
    throw new Error('This is for the embedded database. DATABASE_URL is set: use pg_dump and pg_restore.');
  return settings;
}

export const PLATFORM_COMMANDS: readonly Command[] = [
  {
    name: 'migrate',
    description: 'migrate the database to the current schema; creates the embedded one if there is none',
    runAlone: async (added, _options, report) => {
      await (await openEnvironment(added, { onProgress: report })).close();
      return { migrated: true };
    },
  },
  {
    name: 'backup',
    description: 'copy the embedded database and its secrets into a new folder, also while the service runs',
    options: [{ flags: '--folder <path>', description: 'does not exist yet', required: true }],
    runAlone: async (_added, { folder }, report) => {
      const settings = requireEmbedded();
      if (!hasCluster(settings.DATA_DIR)) throw new Error(`There is no database in ${settings.DATA_DIR}.`);
      const { url, stop } = await openDatabase(settings, report);
      report('Copying the database ...');
      const path = inCallersFolder(String(folder));
      try {
        await backUpEmbedded({ dataDir: settings.DATA_DIR, folder: path }, url);
        return { folder: path };
      } finally {
        await stop();
      }
    },
  },
  {
    name: 'restore',
    description:
      'make the embedded database of a backup, where there is none: DATA_DIR holds no database yet',
    options: [{ flags: '--folder <path>', description: 'what backup has made', required: true }],
    runAlone: async (_added, { folder }) => {
      const dataDir = requireEmbedded().DATA_DIR;
      await restoreEmbedded({ dataDir, folder: inCallersFolder(String(folder)) });
      return { restored: dataDir };
    },
  },
  {
    name: 'keys:list',
    description: 'list the signing keys of access tokens, newest first',
    run: async ({ keys }) => ({ items: await keys.list(), nextCursor: null }),
  },
  {
    name: 'keys:rotate',
    description: 'add a signing key: published within 30 seconds, used for signing after 10 minutes',
    run: async ({ keys, rsaKeys }) => {
      const kid = await keys.rotate();
      await rsaKeys.rotate();
      return { kid };
    },
  },
  {
    name: 'connection-keys:list',
    description: 'list the keys of this service at identity providers, newest first',
    run: async ({ connectionKeys }) => ({ items: await connectionKeys.list(), nextCursor: null }),
  },
  {
    name: 'connection-keys:rotate',
    description:
      'add a key of this service at identity providers: published within 5 seconds, used for signing after 30 days',
    options: [
      { flags: '--kind <kind>', description: 'kind of the providers: saml or oidc', required: true },
      { flags: '--days <number>', description: 'days until it signs, 0 to 365; 30 by default' },
    ],
    run: async (services, options) => {
      const { kind, days } = await services.connectionKey(options);
      return services.connectionKeys.rotate(kind, days);
    },
  },
  {
    name: 'connection-keys:remove',
    description:
      'remove a key of this service at identity providers that does not sign: published but not needed, or retired',
    options: [{ flags: '--kid <kid>', description: 'id of the key', required: true }],
    run: async ({ connectionKeys }, { kid }) => {
      await connectionKeys.remove(String(kid));
      return { kid };
    },
  },
  {
    name: 'erasures:export',
    description: 'list the ids of erased accounts, to be kept outside the database and its backups',
    run: ({ erasures }) => erasures.export(),
  },
  {
    name: 'erasures:replay',
    description: 'erase the accounts of an exported list again, after a backup was restored',
    options: [{ flags: '--file <path>', description: 'what erasures:export has printed', required: true }],
    continues: true,
    run: ({ erasures }, { file }, report) =>
      erasures.replay(inCallersFolder(String(file)), (done, all) =>
        report(`Checked ${done} of ${all} accounts ...`),
      ),
  },
  {
    name: 'people:import',
    description: 'create accounts of people of another system, with their passwords',
    options: [
      { flags: '--file <path>', description: 'a person a line, as JSON', required: true },
      { flags: '--dry-run', description: 'only say what would be done' },
      { flags: '--invite', description: 'invite people whose address is unverified' },
    ],
    hasManyRows: true,
    continues: true,
    run: async ({ importRuns }, { file, dryRun, invite }, report) => {
      const isDryRun = dryRun === true;
      const result = await importRuns.runFile(inCallersFolder(String(file)), {
        isDryRun,
        invites: invite === true,
        onProgress: ({ lines, percent }) => report(`Read ${lines} lines (${percent} %) ...`),
      });
      return { ...(isDryRun && { dryRun: true }), ...result };
    },
  },
  {
    name: 'export',
    description:
      'write everything into a new folder, to move to another system: people with password hashes and second factors, organizations, satellites, events',
    options: [
      { flags: '--all', description: 'to say that secrets are meant too', required: true },
      { flags: '--folder <path>', description: 'does not exist yet', required: true },
    ],
    hasManyRows: true,
    run: ({ everything }, { folder }, report) => everything.run(inCallersFolder(String(folder)), report),
  },
];

import { existsSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { findPlace } from './place.js';

/** Files of the data directory next to the cluster, without which it cannot be read. */
const SECRETS = ['postgres-password', 'root-secret'];

/** Of the running server. */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts']);
/** Folders whose content each start makes again (PostgreSQL manual, making a base backup). */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

interface Backup {
  readonly dataDir: string;
  /** Where the copy is, or shall be. */
  readonly folder: string;
}

/** Owner of copies; null for the user of this process. */
type Owner = { readonly uid: number; readonly gid: number } | null;

/**
 * Copies the embedded database while it runs, and its secrets, into a new folder.
 * @param url of the running server
 * @throws {Error} EEXIST if the folder exists
 */
export async function backUpEmbedded({ dataDir, folder }: Backup, url: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  for (const name of SECRETS)
    if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(folder, name));
  const cluster = await realpath(join(dataDir, 'postgres'));
  const owner = process.getuid?.() === 0 ? await stat(cluster) : null;
  const copy = join(folder, 'postgres');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Until the connection ends, the server keeps the log that the copy needs.
    await client.query("SELECT pg_create_physical_replication_slot('gatehouse_backup', true, true)");
    await client.query("SELECT pg_backup_start('gatehouse', true)");
    await copyTree(cluster, copy, owner, (name) => name !== 'pg_wal' && !NOT_COPIED.has(name));
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await copyTree(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), owner);
    // Last: a folder without it, of a backup that was interrupted, is not restored.
    await writeFile(join(copy, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
    if (owner) await chown(join(copy, 'backup_label'), owner.uid, owner.gid);
  } finally {
    await client.end();
  }
}

/**
 * Makes a data directory of a backup; its server recovers at the next start.
 * @throws {Error} if the data directory has a database, or the folder is no backup
 */
export async function restoreEmbedded({ dataDir: given, folder }: Backup): Promise<void> {
  if (!existsSync(join(folder, 'postgres', 'backup_label'))) throw new Error(`${folder} is no backup.`);
  await mkdir(given, { recursive: true });
  const dataDir = await realpath(given);
  const taken = ['postgres', ...SECRETS].find((name) => existsSync(join(dataDir, name)));
  if (taken !== undefined)
    throw new Error(`There is a database in ${dataDir}: stop the service, and move this folder away first.`);
  const { cluster, user } = await findPlace(dataDir);
  // As a new cluster is made: a server would start with the part that an interrupted copy has.
  const draft = `${cluster}.draft-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await copyTree(join(folder, 'postgres'), draft, user);
  for (const name of SECRETS)
    if (existsSync(join(folder, name))) await copyFile(join(folder, name), join(dataDir, name));
  await rename(draft, cluster);
}

/** Copies a folder, of which the server may remove files in the meantime. */
async function copyTree(
  from: string,
  to: string,
  owner: Owner,
  isCopied: (name: string) => boolean = () => true,
): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (!isCopied(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    try {
      if (!entry.isDirectory()) await copyFile(source, target);
      else await copyTree(source, target, owner, () => !EMPTIED.has(entry.name));
      if (owner) await chown(target, owner.uid, owner.gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  if (owner) await chown(to, owner.uid, owner.gid);
}

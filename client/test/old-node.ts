import { spawnSync } from 'node:child_process';

/**
 * Finds another version of Node.js, which npm downloads once into its cache.
 * @returns the path of the executable, or an empty text
 */
export function findNode(version: string): string {
  const wanted = `--package=node-${process.platform}-${process.arch}@${version}`;
  const words = ['exec', '--yes', '--prefer-offline', wanted, '--', 'node', '-p', 'process.execPath'];
  return spawnSync('npm', words, { encoding: 'utf8', timeout: 120_000 }).stdout.trim();
}

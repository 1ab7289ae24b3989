import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where scripts/container-inside.mjs has built the images. */
const FOLDER = process.env['CONTAINER_FOLDER'] ?? '';
const GLOBAL = [
  ['--root', join(FOLDER, 'store')],
  ['--runroot', join(FOLDER, 'run')],
  ['--tmpdir', join(FOLDER, 'tmp')],
  ['--network-config-dir', join(FOLDER, 'networks')],
  ['--network-backend', 'netavark'],
  ['--cgroup-manager', 'cgroupfs'], // systemd cannot see the namespaces of the check
  ['--events-backend', 'none'],
  ['--runtime', 'runc'],
].flat();
/** Those of this process, as runc may not raise them to podman's defaults everywhere. */
const LIMITS = ['--ulimit', 'host'];

/** What a program printed and how it ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What an image says of how it is to be run. */
export interface ImageSettings {
  readonly User: string;
  readonly Config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Cmd: readonly string[];
    readonly StopSignal: string;
  };
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Size: number;
}

/** Runs podman to its end, whatever that is. */
export async function tryPodman(...args: readonly string[]): Promise<Outcome> {
  try {
    return { code: 0, ...(await promisify(execFile)('podman', [...GLOBAL, ...args], { maxBuffer: 1e8 })) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as Partial<Outcome>;
    if (typeof code !== 'number') throw error;
    return { code, stdout, stderr };
  }
}

/**
 * @returns what podman printed
 * @throws {Error} where podman fails
 */
export async function podman(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryPodman(...args);
  if (code !== 0) throw new Error(`podman ${args.join(' ')} ended with ${code}:\n${stderr}`);
  return stdout.trim();
}

/** Starts a container that is removed with everything else at the end of the check. */
export async function startContainer(args: readonly string[]): Promise<void> {
  await podman('run', '--detach', '--pull', 'never', '--no-healthcheck', ...LIMITS, ...args);
}

export async function imageSettings(image: string): Promise<ImageSettings> {
  const [settings] = JSON.parse(await podman('image', 'inspect', image)) as ImageSettings[];
  return settings as ImageSettings;
}

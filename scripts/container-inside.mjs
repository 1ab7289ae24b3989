// Builds the images in the given folder and runs test/container on them, in a network namespace of
// its own.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';

const [folder] = process.argv.slice(2);
/** Cache of the file systems made of Debian packages. */
const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gatehouse', 'container');
/** Maximum age of a cached file system, so that Debian's security updates arrive. */
const MAX_CACHE_AGE_MS = 7 * 24 * 3_600_000;
const STORE = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
const STAND_INS = 'test/container/services';
const MAX_OPEN_FILES = 65_536;
/** npm settings for reaching the registry. */
const REGISTRY_SETTINGS = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'];

const began = performance.now();
const seconds = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
const [, base, suite] = /^FROM (node:\d+-(\w+)-slim)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
const compose = parse(readFileSync('compose.yaml', 'utf8'));

// Podman keeps its locks there, one set for all stores.
execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/dev/shm']);
await Promise.all([buildImage(), buildStandIns()]);
say('Running the checks');
const jest = ['node_modules/jest/bin/jest.js', '--config', 'test/container/jest.config.cjs'];
const alone = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', process.execPath, ...jest];
process.exitCode = await statusOf('unshare', alone, { CONTAINER_FOLDER: folder }, 'inherit');
say('Done');

/** Builds the unchanged Dockerfile on Debian's packages and the pinned Node. */
async function buildImage() {
  const npm = npmFolder();
  const version = JSON.parse(readFileSync(join(npm, 'package.json'), 'utf8')).version;
  const files = await debian({
    name: `node-${process.versions.node}-npm-${version}`,
    packages: ['ca-certificates', 'libatomic1'],
    hooks: [
      'mkdir -p "$1/usr/local/lib/node_modules"',
      `cp "${process.execPath}" "$1/usr/local/bin/node"`,
      `cp -r "${npm}" "$1/usr/local/lib/node_modules/npm"`,
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
      'chroot "$1" useradd --uid 1000 --user-group --create-home --shell /bin/bash node',
    ],
  });
  await importImage(files, `docker.io/library/${base}`);
  say('Building the image');
  await buildah(['--format', 'docker', '--tag', 'localhost/gatehouse', ...registryMounts(), '.']);
  say('The image is built');
}

/** Builds stand-ins for the images that compose.yaml names, from Debian's packages. */
async function buildStandIns() {
  const files = await debian({
    name: 'services',
    packages: ['haproxy', 'postgresql', 'python3-aiosmtpd', 'redis-server'],
    hooks: [],
  });
  await importImage(files, 'localhost/services');
  const images = Object.values(compose.services).flatMap(({ image }) => image ?? []);
  for (const image of [...images, 'haproxy']) {
    const [target] = image.split('/').at(-1).split(':');
    const tag = `docker.io/${image.includes('/') ? image : `library/${image}`}`;
    await buildah(['--target', target, '--tag', tag, STAND_INS]);
  }
  say('The services of the stack are built');
}

/** @returns a tar file of a Debian with these packages, from the cache where that is fresh */
async function debian({ name, packages, hooks }) {
  const text = JSON.stringify([suite, packages, hooks]).replaceAll(process.cwd(), ''); // for all checkouts
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const file = join(CACHE, `${name}-${digest}.tar`);
  if (existsSync(file) && Date.now() - statSync(file).mtimeMs < MAX_CACHE_AGE_MS) return file;
  say(`Making ${file}`);
  mkdirSync(CACHE, { recursive: true });
  const made = join(folder, `${name}.tar`);
  const excludes = ['doc', 'locale', 'man'].map((kind) => `--dpkgopt=path-exclude=/usr/share/${kind}/*`);
  const customize = hooks.map((hook) => `--customize-hook=${hook}`);
  const include = `--include=${packages.join(',')}`;
  await done('mmdebstrap', ['--quiet', '--variant=minbase', include, ...excludes, ...customize, suite, made]);
  await done('mv', [made, `${file}.${process.pid}`]); // across file systems, where the cache is on another one
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

function importImage(file, tag) {
  const own = ['--tmpdir', join(folder, 'tmp'), '--events-backend', 'none'];
  return done('podman', [...STORE, ...own, 'import', '--quiet', file, tag]);
}

function buildah(args) {
  const how = ['--quiet', '--isolation', 'chroot', '--pull-never', '--ulimit', openFiles()];
  return done('buildah', [...STORE, 'bud', ...how, ...args]);
}

/** npm reads a full cache with more files at once than the usual 1,024. */
function openFiles() {
  const hard = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || MAX_OPEN_FILES;
  const limit = Math.min(hard, MAX_OPEN_FILES);
  return `nofile=${limit}:${limit}`;
}

/** Path of the running npm, or else of the npm on PATH. */
function npmFolder() {
  const program = process.env.npm_execpath ?? execFileSync('which', ['npm'], { encoding: 'utf8' }).trim();
  return dirname(dirname(realpathSync(program)));
}

/**
 * Mounts npm's settings, credentials, certificate authorities and cache for the time of the build,
 * so that the image has none of them. Writes of the build to the cache are dropped.
 */
function registryMounts() {
  const npm = (...args) =>
    execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const setting = (name) => npm('config', 'get', name);
  const files = [setting('globalconfig'), setting('userconfig')].filter((file) => existsSync(file));
  const settings = REGISTRY_SETTINGS.map((name) => [name, setting(name)]).filter(
    ([, value]) => !['', 'null'].includes(value),
  );
  const cafile = [setting('cafile'), process.env.NODE_EXTRA_CA_CERTS].find(
    (file) => file && existsSync(file),
  );
  const npmrc = join(folder, 'npmrc');
  const lines = [
    ...files.map((file) => readFileSync(file, 'utf8')),
    ...settings.map((pair) => pair.join('=')),
    ...(cafile ? ['cafile=/run/npm-authorities.pem'] : []),
    'cache=/run/npm-cache',
  ];
  writeFileSync(npmrc, `${lines.join('\n')}\n`, { mode: 0o600 });
  const cache = setting('cache');
  mkdirSync(cache, { recursive: true });
  return [
    ['-v', `${npmrc}:/root/.npmrc:ro`],
    ...(cafile ? [['-v', `${cafile}:/run/npm-authorities.pem:ro`]] : []),
    ['-v', `${cache}:/run/npm-cache:O`],
  ].flat();
}

function say(what) {
  process.stderr.write(`${what} (${seconds()})\n`);
}

/** Runs a program, and throws with what it printed if it fails. */
async function done(program, args) {
  const output = [];
  const code = await statusOf(program, args, { TMPDIR: folder }, 'pipe', output);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output.join('')}`);
}

function statusOf(program, args, env, stdio, output = []) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => child.on('close', resolve).on('error', reject));
}

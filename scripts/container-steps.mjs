// Runs scripts/container-inside.mjs in namespaces of its own: when that process ends, its mounts
// and processes end as well.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOOLS = ['mmdebstrap', 'buildah', 'podman', 'runc', 'netavark', 'iptables', 'ip', 'unshare'];
const NAMESPACES = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

const { status } = spawnSync('bash', ['scripts/need.sh', ...TOOLS], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-container-'));
const words = [...NAMESPACES, process.execPath, 'scripts/container-inside.mjs', folder];
const child = spawn('unshare', words, { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill('SIGKILL'));
child.on('exit', (code) => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});

import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const run = promisify(execFile);
const PACKAGES = ['gatehouse-client-1.0.0.tgz', 'gatehouse-react-1.0.0.tgz'];
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** The packages as npm would publish them. */
export async function packPackages(): Promise<string> {
  const folder = temporaryFolder('packages');
  // What prepare has built: other tests use it.
  const options = ['--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  await run('npm', ['pack', '--workspace', 'client', '--workspace', 'react', ...options]);
  return folder;
}

/**
 * An example of examples/clients in a folder outside of the checkout, with its dependencies as its
 * lock file names them.
 */
export class ExampleApp {
  private constructor(readonly folder: string) {}

  /** @param packages folder of {@link packPackages} */
  static async install(name: string, packages: string): Promise<ExampleApp> {
    const folder = temporaryFolder(name);
    const filter = (path: string) => !/\/(node_modules|dist|\.next)$/.test(path);
    await cp(join('examples', 'clients', name), folder, { recursive: true, filter });
    for (const file of PACKAGES) await cp(join(packages, file), join(folder, file));
    const app = new ExampleApp(folder);
    await app.npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']);
    return app;
  }

  /** @returns what npm prints */
  async npm(words: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    const env = { ...process.env, NODE_ENV: '', ...environment };
    const { stdout, stderr } = await run('npm', words, { cwd: this.folder, env, maxBuffer: 10_000_000 });
    return stdout + stderr;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Serves a folder of static files, as for an app in one page. */
export async function serveFolder(folder: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    const path = resolve(folder, `.${(request.url ?? '/').split('?')[0]}`);
    const isFile = path.startsWith(folder) && extname(path) !== '' && existsSync(path);
    const file = isFile ? path : join(folder, 'index.html');
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return server;
}

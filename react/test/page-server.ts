import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../test/support/temporary-folder.js';

const VITE = resolve('node_modules/vite/bin/vite.js');

/**
 * The test page with the built packages, and React in development, which mounts twice in strict
 * mode. It takes the address of the service from a cookie.
 */
export class PageServer {
  /** Address of the service, once it is known. */
  serviceUrl = '';

  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {
    server.on('request', (request, response) => {
      const [, asset] = /^\/(assets\/[\w.-]+\.js)$/.exec(request.url ?? '') ?? [];
      response.setHeader('content-type', asset === undefined ? 'text/html' : 'text/javascript');
      response.setHeader('set-cookie', `service=${encodeURIComponent(this.serviceUrl)}`);
      createReadStream(join(folder, asset ?? 'index.html')).pipe(response);
    });
  }

  static async start(): Promise<PageServer> {
    const folder = temporaryFolder('page');
    const options = ['--outDir', folder, '--emptyOutDir', '--mode', 'development', '--logLevel', 'warn'];
    const env = { ...process.env, NODE_ENV: 'development' };
    await promisify(execFile)(process.execPath, [VITE, 'build', 'react/test/page', ...options], { env });
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new PageServer(server, folder);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    await rm(this.folder, { recursive: true });
  }
}

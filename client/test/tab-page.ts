import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const FOLDERS: Record<string, string> = {
  client: 'client/dist',
  'openapi-fetch': 'node_modules/openapi-fetch/dist',
};
const IMPORTS = { '@gatehouse/client': '/client/index.js', 'openapi-fetch': '/openapi-fetch/index.mjs' };

/** A one-page app with the built client, which shows the client's events. */
export class TabPage {
  /** Address of the service, once it is known. */
  serviceUrl = '';

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const [, folder = '', file = ''] = /^\/([\w-]+)\/([\w./-]+)$/.exec(request.url ?? '') ?? [];
      const path = FOLDERS[folder];
      if (path === undefined || file.includes('..'))
        return void response.setHeader('content-type', 'text/html').end(this.html);
      createReadStream(join(path, file)).pipe(response.setHeader('content-type', 'text/javascript'));
    });
  }

  static async start(): Promise<TabPage> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TabPage(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private get html(): string {
    return `<!doctype html><meta charset="utf-8"><title>A tab</title>
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<script type="module">
import { browserStorage, Gatehouse } from '@gatehouse/client';
const client = new Gatehouse({ url: ${JSON.stringify(this.serviceUrl)}, storage: browserStorage() });
const heard = [];
for (const name of ['signed-in', 'signed-out', 'tenant']) client.on(name, (event) => heard.push([name, event]));
Object.assign(globalThis, { client, heard });
</script>`;
  }
}

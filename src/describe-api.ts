import { createApp } from './bootstrap.js';
import { DocsController } from './platform/api/index.js';
import { readSettings, Secret } from './platform/config/index.js';

/** Address of the deployment in the document that the build writes. */
const PUBLIC_URL = 'https://gatehouse.example';

/**
 * Returns the OpenAPI document of the service, for builds and tools. Connects to no database and
 * reads no settings of the environment.
 */
export async function describeApi(): Promise<string> {
  const settings = readSettings({ PUBLIC_URL, LOG_LEVEL: 'silent' });
  const rootSecret = new Secret(Buffer.alloc(32));
  const app = await createApp({ settings, rootSecret, databaseUrl: null });
  try {
    return await app.get(DocsController, { strict: false }).getOpenApiDocument();
  } finally {
    await app.close();
  }
}

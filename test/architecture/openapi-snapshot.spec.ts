import { readFileSync, writeFileSync } from 'node:fs';
import { TestApp } from '../support/test-app.js';

const FILE = 'docs/openapi.json';

/** The committed document is linted and reviewed. `npm run openapi` regenerates it. */
describe('Committed OpenAPI document', () => {
  it('is the one that the service publishes', async () => {
    const app = await TestApp.start({ PUBLIC_URL: 'https://gatehouse.example' });
    try {
      const body: unknown = await (await fetch(`${app.url}/api/docs/openapi.json`)).json();
      if (process.env['WRITE_OPENAPI'] === '1') writeFileSync(FILE, `${JSON.stringify(body, null, 2)}\n`);
      expect(body).toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
    } finally {
      await app.stop();
    }
  });
});

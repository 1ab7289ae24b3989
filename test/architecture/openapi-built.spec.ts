import { readFileSync } from 'node:fs';
import { TestApp } from '../support/test-app.js';

/** The build describes the API without a database; linters and the client read what it writes. */
it('The API document of the build is the one that a service serves', async () => {
  const app = await TestApp.start({ PUBLIC_URL: 'https://gatehouse.example' });
  try {
    const served: unknown = await (await fetch(`${app.url}/api/docs/openapi.json`)).json();
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(served);
  } finally {
    await app.stop();
  }
});

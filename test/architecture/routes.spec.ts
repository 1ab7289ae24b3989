import { RouteManifest } from '../../src/access/index.js';
import { TestApp } from '../support/test-app.js';

/** A diff of the snapshot is a change of who may call what, and is reviewed as one. */
describe('Route manifest', () => {
  it('declares who may call each route', async () => {
    const app = await TestApp.start();
    try {
      const routes = app.app.get(RouteManifest).routes;
      const lines = routes.map(
        ({ method, path, access, clients, maxAge, strictLimit }) =>
          `${method} ${path} [${access}] ${clients}${strictLimit === null ? '' : ` (limit: ${strictLimit})`}${maxAge === null ? '' : ` (signed in within ${maxAge} s)`}`,
      );
      expect(lines).toMatchSnapshot();
    } finally {
      await app.stop();
    }
  });
});

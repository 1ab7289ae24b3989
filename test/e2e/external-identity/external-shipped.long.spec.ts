import { BuiltService } from '../../support/built-service.js';
import { ExternalLab, KINDS } from '../../support/external-lab.js';
import { ExternalVisitor } from '../../support/external.js';

/**
 * Other tests run as CommonJS, the build as ESM of another tool: a library may fail in one of them.
 */
describe('What is shipped', () => {
  let lab: ExternalLab;
  let service: BuiltService;
  beforeAll(async () => {
    lab = await ExternalLab.start();
    service = await BuiltService.start(lab.settings);
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
    await lab.close();
  });

  it.each(KINDS)('signs in by %s', async (kind) => {
    const visitor = new ExternalVisitor(service, kind);
    const { body } = await visitor.start();
    const { fragment } = await visitor.bring(lab.answer(kind, String(body['authorizationUrl'])));
    expect(fragment).toHaveProperty('access_token');
  });
});

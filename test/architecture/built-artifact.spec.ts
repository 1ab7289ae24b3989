import { BuiltService } from '../support/built-service.js';

/** Other tests load the build as CommonJS; this one runs it as it is, ESM. */
describe('Built artifact', () => {
  it('starts, answers, and ends with exit code 0 on SIGTERM', async () => {
    const service = await BuiltService.start();
    const answer = await service.get('/api/v1/iam/me');
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ type: '/errors/unauthenticated', status: 401 });
    expect(await service.stop()).toBe(0);
  });
});

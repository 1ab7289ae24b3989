import { BuiltService } from '../support/built-service.js';

/** The tests run as CommonJS; what is shipped is ESM. This starts what is shipped. */
describe('Built artifact', () => {
  it('starts, answers, and ends with exit code 0 on SIGTERM', async () => {
    const service = await BuiltService.start();
    const answer = await service.get('/api/v1/iam/me');
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ type: '/errors/unauthenticated', status: 401 });
    expect(await service.stop()).toBe(0);
  });
});

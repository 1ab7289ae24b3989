import { BuiltService } from '../../support/built-service.js';
import { eventually } from '../../support/test-app.js';

/** Loaded by the process: rejects a promise without a handler when it gets the signal. */
const FAULT = "process.on('SIGUSR2', () => Promise.reject(new Error('left alone by a test')))";

describe('A rejected promise without a handler', () => {
  it('is logged with its cause, and the process goes on', async () => {
    const service = await BuiltService.start({
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`,
    });
    try {
      service.kill('SIGUSR2');
      await eventually('it is logged', () => service.output.includes('left alone by a test'));
      const line = service.output.split('\n').find((one) => one.includes('left alone by a test'));
      expect(JSON.parse(line ?? '')).toMatchObject({
        level: 50,
        context: 'Process',
        cause: { name: 'Error', message: 'left alone by a test' },
      });
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });
});

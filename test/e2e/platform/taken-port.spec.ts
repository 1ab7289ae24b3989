import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { BuiltService } from '../../support/built-service.js';

it('A taken port is told before the database is migrated', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const PORT = String((other.address() as AddressInfo).port);
  const service = await BuiltService.launch({ PORT, HOST: '127.0.0.1' });
  try {
    expect(await service.ended).toBe(1);
    expect(service.output).toContain(`port ${PORT} of 127.0.0.1 is taken. Choose another with PORT.`);
    expect(service.output).not.toContain('Migrating');
  } finally {
    await service.stop();
    other.close();
  }
});

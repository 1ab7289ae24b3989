import { Logger } from '@nestjs/common';
import type { ChangeFeed } from '../../src/platform/live/index.js';
import { RegisteredScopes } from '../../src/client/registry/client-scopes.js';
import type { ClientRepository } from '../../src/client/registry/client.repository.js';

describe('The start with satellites registered before scopes', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  beforeEach(() => warn.mockClear());
  afterAll(() => warn.mockRestore());

  const start = (inherited: readonly string[]) => {
    const satellites = { findInherited: () => Promise.resolve(inherited) } as unknown as ClientRepository;
    const feed = { listen: () => undefined } as unknown as ChangeFeed;
    return new RegisteredScopes(satellites, feed).onApplicationBootstrap();
  };

  it('warns, naming each of them', async () => {
    await start(['forum', 'shop']);
    expect(warn.mock.calls).toEqual([
      [{ clientIds: ['forum', 'shop'] }, expect.stringContaining('Set their scopes.')],
    ]);
  });

  it('does not warn without such satellites', async () => {
    await start([]);
    expect(warn).not.toHaveBeenCalled();
  });
});

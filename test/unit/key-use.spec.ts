/** @service separate */
import type { TenantId, UserId } from '../../src/kernel/index.js';
import type { CredentialRepository } from '../../src/machine/keys/credential.repository.js';
import { KeyUse } from '../../src/machine/keys/key-use.js';
import type { PlatformAccountRepository } from '../../src/machine/platform/platform-account.repository.js';

describe('The last use of credentials', () => {
  /** Ids that each statement has written. */
  let written: string[][];
  let use: KeyUse;
  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    const credentials = {
      noteUses: (uses: readonly { readonly id: string }[]) => {
        written.push(uses.map(({ id }) => id));
        return Promise.resolve();
      },
    } as unknown as CredentialRepository;
    const platform = {
      noteUses: (ids: readonly string[]) => {
        written.push(ids.map((id) => `platform ${id}`));
        return Promise.resolve();
      },
    } as unknown as PlatformAccountRepository;
    use = new KeyUse(credentials, platform);
  });
  afterEach(() => jest.useRealTimers());

  const note = (id: string) => use.note({ tenantId: 'tenant' as TenantId, ownerId: 'account', id });

  it('is written for all together, and not by the request', async () => {
    for (const id of ['one', 'two', 'one']) note(id);
    use.note({ tenantId: null, ownerId: 'account' as UserId, id: 'three' });
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([['one', 'two'], ['platform three']]);
  });

  it('is written without a statement for keys of organizations where none was used', async () => {
    use.note({ tenantId: null, ownerId: 'account' as UserId, id: 'one' });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([['platform one']]);
  });

  it('is written at most once a minute', async () => {
    note('one');
    await jest.advanceTimersByTimeAsync(30_000);
    note('one');
    await jest.advanceTimersByTimeAsync(29_000);
    expect(written).toEqual([['one']]);
    await jest.advanceTimersByTimeAsync(1_000);
    note('one');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([['one'], ['one']]);
  });

  it('is written before the service stops', async () => {
    note('one');
    await use.onApplicationShutdown();
    expect(written).toEqual([['one']]);
  });
});

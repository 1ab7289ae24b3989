import { WriteTurns } from '../../src/directory/scim/scim-calls.js';
import type { TenantId } from '../../src/kernel/principal.js';

const [ACME, OTHER] = ['acme' as TenantId, 'other' as TenantId];

/** Writes that end when the test says so. */
class Writes {
  readonly turns = new WriteTurns();
  readonly begun: string[] = [];
  private readonly ends = new Map<string, (error?: Error) => void>();

  start(name: string, tenantId = ACME): Promise<string> {
    return this.turns.run(tenantId, () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => {
        this.ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  }

  end(name: string, error?: Error): void {
    this.ends.get(name)?.(error);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Writes of directories', () => {
  let writes: Writes;
  beforeEach(() => (writes = new Writes()));

  it('run two at once for an organization, and the others in order', async () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => writes.start(name));
    await turn();
    expect(writes.begun).toEqual(['a', 'b']);
    writes.end('b');
    await expect(all[1]).resolves.toBe('b');
    await turn();
    expect(writes.begun).toEqual(['a', 'b', 'c']);
    writes.end('a');
    writes.end('c');
    await turn();
    writes.end('d');
    await expect(Promise.all(all)).resolves.toEqual(['a', 'b', 'c', 'd']);
  });

  it('do not wait for those of another organization', async () => {
    for (const name of ['a', 'b', 'c']) void writes.start(name);
    void writes.start('theirs', OTHER);
    await turn();
    expect(writes.begun).toEqual(['a', 'b', 'theirs']);
  });

  it('give their turn away also if they fail', async () => {
    const failing = writes.start('a');
    for (const name of ['b', 'c']) void writes.start(name);
    await turn();
    writes.end('a', new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await turn();
    expect(writes.begun).toEqual(['a', 'b', 'c']);
  });

  it('are refused if a hundred wait', async () => {
    for (let n = 0; n < 102; n += 1) void writes.start(String(n));
    await expect(writes.start('too many')).rejects.toMatchObject({
      code: 'too-many-requests',
      retryAfterSeconds: 1,
    });
    writes.end('0');
    await turn();
    void writes.start('fits again');
    expect(writes.begun).toEqual(['0', '1', '2']);
  });
});

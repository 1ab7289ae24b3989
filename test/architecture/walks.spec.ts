import { existsSync, readFileSync } from 'node:fs';

/** Most files that a reader may pass. */
const LIMITS: Readonly<Record<string, number>> = {
  Login: 45,
  'Bearer command': 45,
  'Token exchange': 30,
  'Webhook delivery': 20,
  'SCIM PATCH': 35,
};

/** A walk of ARCHITECTURE.md: its name, the number of files that it states, and their paths. */
interface Walk {
  readonly name: string;
  readonly stated: number;
  readonly files: readonly string[];
}

function readWalks(): Walk[] {
  const [, section = ''] = /\n## Walks\n(.*?)\n## /s.exec(readFileSync('ARCHITECTURE.md', 'utf8')) ?? [];
  return section
    .split(/\n(?=\*\*)/)
    .slice(1)
    .map((text) => {
      const [, name = '', stated = ''] = /^\*\*(.+?)\*\*.*?: (\d+) files/s.exec(text) ?? [];
      const [, folder] = /paths without a folder are in `([^`]+)`/.exec(text) ?? [];
      const steps = text.split('\n').filter((line) => line.startsWith('- '));
      const paths = steps.flatMap((line) =>
        [...line.matchAll(/`([^`]+\.ts)`/g)].map(([, path = '']) => path),
      );
      const full = paths.map((path) =>
        folder && !path.includes('/') && path !== 'configure-app.ts' ? `${folder}/${path}` : path,
      );
      return { name, stated: Number(stated), files: [...new Set(full)] };
    });
}

describe('The walks of ARCHITECTURE.md', () => {
  const walks = readWalks();

  it('are those with a limit', () => {
    expect(walks.map(({ name }) => name).toSorted()).toEqual(Object.keys(LIMITS).toSorted());
  });

  it.each(walks)('$name names files that exist, as many as it says, and no more than its limit', (walk) => {
    expect(walk.files.filter((path) => !existsSync(`src/${path}`))).toEqual([]);
    expect(walk.stated).toBe(walk.files.length);
    expect(walk.files.length).toBeLessThanOrEqual(LIMITS[walk.name] ?? 0);
  });
});

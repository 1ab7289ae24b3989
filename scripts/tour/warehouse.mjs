import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../examples/shipments/src/warehouse', import.meta.url));
/** In the repository, where `gatehouse/…` is this package. */
const TARGET = fileURLToPath(new URL('../../dist/tour', import.meta.url));
const MAIN = `import { createGatehouse } from 'gatehouse';
import { CreateWarehouse1796110000001 } from './1796110000001-create-warehouse.js';
import { WarehouseModule } from './warehouse.module.js';

await createGatehouse({ modules: [WarehouseModule], migrations: [CreateWarehouse1796110000001] }).run();
`;

/**
 * Compiles a program that is the service with the warehouse of examples/shipments.
 * @returns the path of the program
 */
export async function compileWarehouse() {
  // On demand: it leaves a temporary folder behind.
  const { transform } = await import('@swc/core');
  await mkdir(TARGET, { recursive: true });
  for (const file of (await readdir(SOURCE)).filter((name) => name.endsWith('.ts'))) {
    const filename = join(SOURCE, file);
    const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: false });
    await writeFile(join(TARGET, file.replace(/\.ts$/, '.js')), code);
  }
  const main = join(TARGET, 'main.js');
  await writeFile(main, MAIN);
  return main;
}

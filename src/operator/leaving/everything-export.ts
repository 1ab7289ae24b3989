import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../kernel/index.js';
import { PeopleExport } from '../../iam/index.js';
import { ClientService } from '../../client/index.js';
import { TenantExportRepository } from '../tenants/tenant-export.repository.js';
import { EverythingRepository } from './everything.repository.js';

/** Parts of an organization that are in files of their own: its members with the people. */
const IN_OTHER_FILES = ['members', 'events'];
/** Items of one part of an organization; a line says which parts have more. */
const MAX_ITEMS = 100_000;
const SATELLITES = 1_000;

/** Number of lines by file. */
export type ExportedLines = Readonly<Record<'people' | 'organizations' | 'satellites' | 'events', number>>;

/**
 * Writes everything that the service keeps into a new folder, for an operator who moves to another
 * system: password hashes, secrets of second factors and the keys of the hashes too.
 * People and organizations are read as by their own exports. The export of a person's own data
 * (`ExportMaker`) differs: each module says what of its rows the person may see.
 */
@Injectable()
export class EverythingExport {
  constructor(
    private readonly people: PeopleExport,
    private readonly clients: ClientService,
    private readonly tenants: TenantExportRepository,
    private readonly repository: EverythingRepository,
  ) {}

  /**
   * @param folder that does not exist yet; only its owner can read it
   * @throws {Error} EEXIST if it exists
   */
  async run(folder: string, report: (line: string) => void): Promise<ExportedLines> {
    await mkdir(folder, { mode: 0o700 });
    const write = (name: string, batches: AsyncIterable<readonly object[]>): Promise<number> =>
      writeLines(join(folder, `${name}.ndjson`), batches, (lines) => report(`Wrote ${lines} ${name} ...`));
    await writeLines(join(folder, 'password-keys.ndjson'), [this.people.passwordKeys], () => undefined);
    return {
      people: await write('people', this.people.read()),
      organizations: await write('organizations', this.readTenants()),
      satellites: await write('satellites', this.readSatellites()),
      events: await write('events', this.readEvents()),
    };
  }

  private async *readTenants(): AsyncGenerator<object[]> {
    for await (const ids of batchesOf<string>((last) => this.repository.listTenantIds(last ?? '')))
      for (const id of ids) {
        const parts = await this.tenants.readParts(id, IN_OTHER_FILES, MAX_ITEMS);
        const incomplete = parts.filter(({ complete }) => !complete).map(({ name }) => name);
        yield [{ ...Object.fromEntries(parts.map(({ name, items }) => [name, items])), incomplete }];
      }
  }

  private readSatellites(): AsyncGenerator<object[]> {
    return batchesOf<{ readonly id: string }>(async (last) => {
      const found = await this.clients.list({ limit: SATELLITES, after: last?.id ?? null });
      return found.slice(0, SATELLITES);
    });
  }

  private readEvents(): AsyncGenerator<object[]> {
    return batchesOf<{ readonly id: string }>((last) => this.repository.listEvents(last?.id ?? ''));
  }
}

/** Writes a JSON object a line. @returns the number of lines */
async function writeLines(
  path: string,
  batches: AsyncIterable<readonly object[]> | Iterable<readonly object[]>,
  onBatch: (lines: number) => void,
): Promise<number> {
  const file: FileHandle = await open(path, 'wx', 0o600);
  let lines = 0;
  try {
    for await (const batch of batches) {
      await file.appendFile(batch.map((line) => `${JSON.stringify(line)}\n`).join(''));
      lines += batch.length;
      onBatch(lines);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return lines;
}

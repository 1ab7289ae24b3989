import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { newId } from '../../kernel/index.js';

const SUFFIX = '.eml';
const DECOY_SUFFIX = '.decoy';

/** The folder of mails that no mail server takes: a file each, named by when it came and whom it is for. */
@Injectable()
export class MailFolder {
  private readonly path: string;

  constructor(@Inject(SETTINGS) { DATA_DIR }: Settings) {
    this.path = join(DATA_DIR, 'mail');
  }

  /** @param message in the form of RFC 5322 */
  async add(message: Buffer, recipientKey: Buffer): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await writeFile(join(this.path, `${newId()}${nameEndOf(recipientKey)}`), message, { mode: 0o600 });
  }

  /** Writes as much as {@link add} does, and removes it. */
  async addDecoy({ length }: Buffer, recipientKey: Buffer): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const file = join(this.path, `${newId()}${nameEndOf(recipientKey)}${DECOY_SUFFIX}`);
    await writeFile(file, Buffer.alloc(length), { mode: 0o600 });
    await rm(file, { force: true });
  }

  /** Removes every mail to this recipient. */
  async forget(recipientKey: Buffer): Promise<void> {
    const theirs = (await this.names()).filter((name) => name.endsWith(nameEndOf(recipientKey)));
    await Promise.all(theirs.map((name) => rm(join(this.path, name), { force: true })));
  }

  /** The last mails, newest first, as they are written. */
  async newest(most: number): Promise<{ id: string; source: string }[]> {
    const names = (await this.names())
      .filter((name) => name.endsWith(SUFFIX))
      .toSorted()
      .toReversed();
    const mails = await Promise.all(
      names.slice(0, most).map(async (name) => ({
        id: name.slice(0, 26),
        source: await readFile(join(this.path, name), 'utf8').catch(() => ''), // forgotten meanwhile
      })),
    );
    return mails.filter(({ source }) => source !== '');
  }

  private names(): Promise<string[]> {
    return readdir(this.path).catch(() => []);
  }
}

const nameEndOf = (recipientKey: Buffer): string => `-${recipientKey.toString('hex')}${SUFFIX}`;

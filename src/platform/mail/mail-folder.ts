import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { newId } from '../../kernel/index.js';

const SUFFIX = '.eml';
const DECOY_SUFFIX = '.decoy';

/**
 * Folder for mails without a mail server: one file each, named by time and key of the recipient.
 */
@Injectable()
export class MailFolder {
  private readonly path: string;

  constructor(@Inject(SETTINGS) { DATA_DIR }: Settings) {
    this.path = join(DATA_DIR, 'mail');
  }

  /**
   * Writes a mail.
   * @param message in the format of RFC 5322
   */
  async add(message: Buffer, recipientKey: Buffer): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    await writeFile(join(this.path, `${newId()}${nameEndOf(recipientKey)}`), message, { mode: 0o600 });
  }

  /** Writes a file of the same length as {@link add}, and deletes it. */
  async addDecoy({ length }: Buffer, recipientKey: Buffer): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o700 });
    const file = join(this.path, `${newId()}${nameEndOf(recipientKey)}${DECOY_SUFFIX}`);
    await writeFile(file, Buffer.alloc(length), { mode: 0o600 });
    await rm(file, { force: true });
  }

  /** Deletes all mails to a recipient. */
  async forget(recipientKey: Buffer): Promise<void> {
    const files = (await this.names()).filter((name) => name.endsWith(nameEndOf(recipientKey)));
    await Promise.all(files.map((name) => rm(join(this.path, name), { force: true })));
  }

  /**
   * Lists the last mails, newest first.
   * @param limit maximum number
   * @returns id (ULID) and source in the format of RFC 5322
   */
  async listNewest(limit: number): Promise<{ id: string; source: string }[]> {
    const names = (await this.names())
      .filter((name) => name.endsWith(SUFFIX))
      .toSorted()
      .toReversed();
    const mails = await Promise.all(
      names.slice(0, limit).map(async (name) => ({
        id: name.slice(0, 26),
        source: await readFile(join(this.path, name), 'utf8').catch(() => ''), // deleted since it was listed
      })),
    );
    return mails.filter(({ source }) => source !== '');
  }

  private names(): Promise<string[]> {
    return readdir(this.path).catch(() => []);
  }
}

const nameEndOf = (recipientKey: Buffer): string => `-${recipientKey.toString('hex')}${SUFFIX}`;

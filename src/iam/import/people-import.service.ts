import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { canonicalEmail, newId, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';
import { readForeignHash, RefusedHash } from '../accounts/credentials/imported/foreign-hash.js';
import { readName } from '../accounts/person-name.js';
import { ImportedPasswords } from '../accounts/credentials/imported/imported-passwords.js';
import { wrapWeakHash } from '../accounts/credentials/imported/wrapped-hash.js';
import { type Candidate, ImportBatch, RefusedLine } from './import-batch.js';
import { readLines } from './import-lines.js';
import { ImportRepository } from './import.repository.js';
import { importKeysOf } from './import-keys.js';
import { ImportInvitations } from './import-invitations.js';
import { attempt, attemptLater, type ImportReport, type Joining, type Run } from './import-run.js';
import { erased, ImportWriter, taken } from './import-writer.js';
import { type ImportedPerson, readPerson, UNVERIFIED, type VouchedPerson } from './imported-person.js';

/** Accounts that are created by one transaction. */
const BATCH = 1_000;
/** Lines that are read between two turns of the event loop: some milliseconds. */
const LINES_PER_TURN = 32;
/** With four eyes, the command line is not one of two operators. */
const NO_ONE = 'memberships need two operators: import them on the page of the console, or by its API';

/** Who imports, and whether lines may have memberships. */
type Importer = Omit<Joining, 'told'>;

interface ImportOptions {
  /** Whether only to say what would be done. */
  readonly isDryRun: boolean;
  /** Whether people whose address is not verified are invited. */
  readonly invites?: boolean;
  readonly stop?: AbortSignal;
  readonly onProgress?: (progress: { readonly lines: number; readonly percent: number }) => void;
}

/**
 * Imports people of another system with their passwords. Never touches an account that exists, and
 * sends people no mail but invitations, if it is to; owners are told that it has made members. A
 * run can be stopped at any time and repeated: an account and its memberships are created in one
 * transaction, with a key that is derived from the person's id in that system.
 */
@Injectable()
export class PeopleImport {
  constructor(
    private readonly imports: ImportRepository,
    private readonly passwords: ImportedPasswords,
    private readonly writer: ImportWriter,
    private readonly invitations: ImportInvitations,
    private readonly keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Imports a file with a person a line.
   * @throws {Error} if there is no such file
   */
  async run(file: string, options: ImportOptions): Promise<ImportReport> {
    const { size } = await stat(file);
    const refusal = this.settings.OPERATOR_FOUR_EYES === 'on' ? NO_ONE : null;
    const importer = { operatorId: null, refusal, invites: options.invites === true };
    return this.read(createReadStream(file) as AsyncIterable<Buffer>, size, options, importer);
  }

  /**
   * Imports a part of a file, in separate transactions: never call it within one, which a refused
   * line would leave with half of its person.
   * @param stop ends it, as the caller has gone: the report says what was done until then
   */
  runPart(part: Buffer, isDryRun: boolean, importer: Importer, stop: AbortSignal): Promise<ImportReport> {
    this.writer.requireNoTransaction();
    return this.read([part], part.length, { isDryRun, stop }, importer);
  }

  /**
   * Creates the account of a person for whom the directory of another system has vouched, as the
   * import of a line does, in a separate transaction.
   * @param passwordHash stored form of the password that the person has given
   * @throws {RefusedLine} if the person or the address has an account, or had one that was erased;
   *   for an organization or role that does not exist
   */
  async createVouched(person: VouchedPerson, passwordHash: string): Promise<void> {
    const candidate = this.candidateOf(1, person, passwordHash);
    const { importKeys, account } = candidate;
    const known = await this.imports.find(importKeys, [account.emailKey], new Date());
    if (known.some(({ isErased }) => isErased)) throw erased();
    if (known.length > 0) throw taken();
    await this.writer.createWhole(candidate, null);
  }

  private async read(
    chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
    size: number,
    { isDryRun, stop, onProgress }: ImportOptions,
    importer: Importer,
  ): Promise<ImportReport> {
    const report: ImportReport = { imported: 0, unchanged: 0, failed: 0, errors: [] };
    if (importer.invites === true) report.invited = 0;
    const schemes = new Set(await this.passwords.reload());
    const { now: startedAt, hasFormer } = await this.imports.start();
    const hasFormerKeys = this.keys.subkeys('imported-account').length > 1;
    const run: Run = {
      joining: { ...importer, told: new Set() },
      report,
      isDryRun,
      startedAt,
      schemes,
      looksFirst: isDryRun || hasFormer || hasFormerKeys,
    };
    let batch = new ImportBatch();
    // The database works on a batch while the next one is read.
    let written = Promise.resolve();
    try {
      for await (const lines of readLines(chunks))
        for (const { number, text, position } of lines) {
          if (stop?.aborted === true) return report;
          let later: Promise<void> | undefined;
          attempt(run, number, () => {
            later = this.add(run, batch, number, text);
          });
          if (later) await attemptLater(run, number, later);
          // Lets the answers of the database in, which wait for each other.
          if (number % LINES_PER_TURN === 0) await nextTurn();
          if (batch.size < BATCH) continue;
          await written;
          written = this.write(run, batch);
          // It is awaited with the next batch, until when it must not count as unhandled.
          written.catch(() => undefined);
          batch = new ImportBatch();
          onProgress?.({ lines: number, percent: Math.floor((100 * position) / Math.max(1, size)) });
        }
    } finally {
      // Ends what has begun before an error of the file is reported.
      await written.catch(() => undefined);
    }
    await written;
    await this.write(run, batch);
    await this.passwords.reload();
    report.errors.sort((a, b) => a.line - b.line);
    return report;
  }

  /** Creates the accounts of a batch, then invites: one may be the owner who answers for that. */
  private async write(run: Run, batch: ImportBatch): Promise<void> {
    await this.writer.write(run, batch);
    for (const { line, person } of batch.invited)
      await attemptLater(run, line, this.invitations.invite(run, person));
  }

  /**
   * Adds the person of a line to the batch.
   * @returns nothing if that is done; else the wrapping of a weak hash, after which it is
   * @throws {RefusedLine}
   */
  private add(run: Run, batch: ImportBatch, line: number, text: string | null): Promise<void> | undefined {
    if (text === null) throw new RefusedLine('is too long, or not UTF-8');
    const person = readPerson(text);
    if (typeof person === 'string') throw new RefusedLine(person);
    if (!person.emailVerified) {
      if (run.joining.invites !== true) throw new RefusedLine(`emailVerified ${UNVERIFIED}`);
      batch.invited.push({ line, person });
      return undefined;
    }
    const { passwordHash = null } = person;
    const wrapped = passwordHash === null ? null : wrapWeakHash(passwordHash);
    const finish = (hash: string | null): void =>
      batch.add(this.candidateOf(line, person, hash === null ? null : this.storedHash(run, hash)));
    if (wrapped instanceof Promise) return wrapped.then(finish);
    finish(wrapped);
    return undefined;
  }

  /** @param passwordHash in the stored form */
  private candidateOf(line: number, person: ImportedPerson, passwordHash: string | null): Candidate {
    const importKeys = importKeysOf(this.keys, person.externalId);
    const account = {
      id: newId() as UserId,
      importKey: importKeys[0],
      email: person.email,
      emailKey: canonicalEmail(person.email),
      ...readName(person),
      passwordHash,
    };
    const { memberships, identities, totpSecret, passkeys } = person;
    return {
      line,
      account,
      importKeys,
      memberships: memberships ?? [],
      identities: identities ?? [],
      totpSecret: totpSecret ?? null,
      passkeys: passkeys ?? [],
    };
  }

  /** @throws {RefusedLine} for a hash that a sign-in could not compute */
  private storedHash({ schemes }: Run, text: string): string {
    try {
      const hash = readForeignHash(text);
      const { name } = hash.scheme;
      if (!schemes.has(name) && !this.passwords.canCompute([...schemes, name]))
        throw new RefusedLine('there are too many kinds of password hashes with different parameters');
      schemes.add(name);
      return this.passwords.store(text, hash);
    } catch (error) {
      throw error instanceof RefusedHash ? new RefusedLine(error.message) : error;
    }
  }
}

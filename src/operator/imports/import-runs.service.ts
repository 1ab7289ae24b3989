import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail, type ImportReport, PeopleImport } from '../../iam/index.js';
import { newId, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type ImportRun, ImportRunRepository } from './import-run.repository.js';

const WAITS = 'memberships wait for another operator, who imports the same part within 24 hours';

const NO_LINES = 'must have a JSON object on each line; /operator/imports also reads CSV and JSON arrays';

/** Number of imports in the history. */
export const MAX_LISTED = 50;
/** Characters of the name of a file. */
export const MAX_FILE_NAME = 200;

/** A file whose parts are imported. */
type ImportedFile = Pick<ImportRun, 'id' | 'fileName'>;

type FileOptions = Parameters<PeopleImport['run']>[1];

interface ImportOptions {
  readonly isDryRun: boolean;
  /** Whether people whose address is not verified are invited. */
  readonly invites: boolean;
  /** The import of which it is a part; null leaves it out of the history. */
  readonly file: ImportedFile | null;
}

/** Imports files for operators. */
@Injectable()
export class ImportRuns {
  constructor(
    private readonly imports: PeopleImport,
    private readonly history: ImportRunRepository,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Imports a part. With `OPERATOR_FOUR_EYES`, the lines with memberships wait until another
   * operator imports the same part.
   * @param stop ends it, as the caller has gone; what was done stays done, and in the trail
   */
  async run(
    part: Buffer,
    operatorId: UserId,
    { isDryRun, invites, file }: ImportOptions,
    stop: AbortSignal,
  ): Promise<ImportReport> {
    const digest = digestOf(part, invites);
    const mayJoin =
      this.settings.OPERATOR_FOUR_EYES === 'off' || (await this.history.isConfirmedBy(digest, operatorId));
    const importer = { operatorId, refusal: mayJoin ? null : WAITS, invites };
    const report = await this.imports.runPart(part, isDryRun, importer, stop);
    if (isDryRun) return report;
    if (report.errors.some(({ reason }) => reason === WAITS))
      await this.history.insertRequest(digest, operatorId);
    await this.audit.record({ actorId: operatorId, action: 'operator.people-imported' });
    if (file) await this.history.add({ ...file, operatorId, ...countsOf(report) });
    return report;
  }

  /**
   * Imports a file for the command line, and adds it to the history once it has ended.
   * @throws {AppError} validation-error for a table or an array: each line would be one failure
   */
  async runFile(path: string, options: FileOptions): Promise<ImportReport> {
    if (!(await readBeginning(path)).trimStart().startsWith('{')) throw AppError.violation('file', NO_LINES);
    const report = await this.imports.run(path, options);
    const fileName = basename(path).slice(0, MAX_FILE_NAME);
    if (!options.isDryRun)
      await this.history.add({ id: newId(), operatorId: null, fileName, ...countsOf(report) });
    return report;
  }

  /** Returns the newest imports of files. */
  list(): Promise<ImportRun[]> {
    return this.history.listNewest(MAX_LISTED);
  }
}

/** What the second of two operators has to repeat. */
const digestOf = (part: Buffer, invites: boolean): Buffer =>
  hash('sha256', invites ? Buffer.concat([part, Buffer.from('\0invite')]) : part, 'buffer');

const countsOf = ({ imported, invited = 0, unchanged, failed }: ImportReport) => ({
  imported,
  invited,
  unchanged,
  failed,
});

async function readBeginning(path: string): Promise<string> {
  const [chunk] = (await createReadStream(path, { end: 1_023 }).toArray()) as Buffer[];
  return new TextDecoder().decode(chunk);
}

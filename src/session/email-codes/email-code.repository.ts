import { randomInt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHashes } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';

export const CODE_LIFETIME_SECONDS = 600;
/** Tries of one code: with a million codes, an attacker guesses one of 200,000. */
const MAX_TRIES = 5;

/** What a code is for. Without the key, neither it nor the six digits can be searched. */
export type CodeSubject = `${'sign-in' | 'step-up'}|${string}`;

/** Creates a code of six digits. */
export const createEmailCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

/** Mailed codes, one for each subject. */
@Injectable()
@RemovesExpired({ table: 'email_codes', key: 'subject_key', when: 'expires_at < now()' })
export class EmailCodeRepository {
  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /**
   * Stores a code in place of an earlier one.
   * @param isStored false to run the statement without effect
   */
  async replace(subject: CodeSubject, code: string, isStored: boolean): Promise<void> {
    await this.database.rows(
      `INSERT INTO email_codes (subject_key, code_hash, expires_at)
       SELECT $1, $2, now() + make_interval(secs => $3) WHERE $4
       ON CONFLICT (subject_key) DO UPDATE SET code_hash = excluded.code_hash, failures = 0, expires_at = excluded.expires_at`,
      [this.hashesOf(subject)[0], this.codeHashes(subject, code)[0], CODE_LIFETIME_SECONDS, isStored],
    );
  }

  /**
   * Counts a try, by the same statement for each subject, and compares the code. Concurrent tries
   * run one after another. In a transaction, commit it after a wrong code too: it is counted.
   */
  async isRight(subject: CodeSubject, code: string): Promise<boolean> {
    const tried = await this.database.row<{ codeHash: Buffer }>(
      `UPDATE email_codes SET failures = failures + 1
       WHERE subject_key = ANY($1) AND expires_at > now() AND failures < ${MAX_TRIES} RETURNING code_hash AS "codeHash"`,
      [this.hashesOf(subject)],
    );
    return this.codeHashes(subject, code).some(
      (hash) => tried !== null && timingSafeEqual(hash, tried.codeHash),
    );
  }

  /** Returns whether a code waits, and can be tried. Counts no try. */
  isWaiting(subject: CodeSubject, code: string): Promise<boolean> {
    return this.database.hasRow(
      `SELECT 1 FROM email_codes WHERE subject_key = ANY($1) AND code_hash = ANY($2)
         AND expires_at > now() AND failures < ${MAX_TRIES}`,
      [this.hashesOf(subject), this.codeHashes(subject, code)],
    );
  }

  /** Takes a right code, in one atomic statement. @returns true for the first caller only */
  take(subject: CodeSubject, code: string): Promise<boolean> {
    return this.database.hasRow(
      'DELETE FROM email_codes WHERE subject_key = ANY($1) AND code_hash = ANY($2) AND expires_at > now() RETURNING 1',
      [this.hashesOf(subject), this.codeHashes(subject, code)],
    );
  }

  async delete(subject: CodeSubject): Promise<void> {
    await this.database.rows('DELETE FROM email_codes WHERE subject_key = ANY($1)', [this.hashesOf(subject)]);
  }

  private codeHashes(subject: CodeSubject, code: string): Buffer[] {
    return keyedHashes(this.keys, 'email-code', `code|${subject}|${code}`);
  }

  private hashesOf(subject: CodeSubject): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'email-code', `subject|${subject}`);
  }
}

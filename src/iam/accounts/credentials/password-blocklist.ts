import { readFileSync, statSync } from 'node:fs';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { MessageId } from '../../../platform/messages/index.js';
import { nameOf, type PersonName } from '../person-name.js';
import { foldPassword, PasswordList } from './password-list.js';

/** Written by scripts/common-passwords.mjs, and copied by the build. */
const SHIPPED = new URL('common-passwords.bin', import.meta.url);
/** Bounds the memory and the time of the start: a million passwords take 6 MB and a second. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** What is known of the person whose password it is. */
interface Person extends PersonName {
  readonly email: string | null;
  readonly company?: string | null;
}

/** Finds passwords that attackers try first (PASSWORD_BLOCKLIST). */
@Injectable()
export class PasswordBlocklist implements OnModuleInit {
  private list: PasswordList | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /**
   * Reads a list of the operator's own.
   * @throws if it cannot be used
   */
  onModuleInit(): void {
    const { PASSWORD_BLOCKLIST_FILE: file } = this.settings;
    if (file !== undefined) this.list = readOwnList(file);
  }

  /**
   * Refuses a password that is about to be set, with PASSWORD_BLOCKLIST=refuse.
   * @param field field of the request, for the violation
   * @throws {AppError} validation-error
   */
  requireAllowed(password: string, field: string, person: Person): void {
    if (this.settings.PASSWORD_BLOCKLIST !== 'refuse') return;
    const reason = this.findReason(password, person);
    if (reason !== null) throw AppError.violation(field, { id: reason });
  }

  /** Returns whether a person should change their password. */
  isListed(password: string, person: Person): boolean {
    return this.settings.PASSWORD_BLOCKLIST !== 'off' && this.findReason(password, person) !== null;
  }

  private findReason(password: string, { email, company, ...person }: Person): MessageId | null {
    const own = [email, email?.slice(0, email.lastIndexOf('@')), company, ...wordsOf(person)];
    const folded = foldPassword(password);
    if (own.some((word) => word && foldPassword(word) === folded)) return 'password.own-words';
    // Read by the first request, and not by the start (ADR 21).
    this.list ??= new PasswordList(readFileSync(SHIPPED));
    return this.list.has(password) ? 'password.common' : null;
  }
}

const wordsOf = (name: PersonName): (string | null)[] => [
  name.firstName,
  name.lastName,
  name.displayName,
  nameOf(name),
];

function readOwnList(file: string): PasswordList {
  const refuse = (problem: string, cause?: unknown) =>
    new Error(`PASSWORD_BLOCKLIST_FILE: ${problem}.`, { cause });
  let text: string;
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw refuse('the file is larger than 16 MiB');
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof TypeError) throw refuse('the file is not UTF-8', error);
    if (error instanceof Error && 'code' in error) throw refuse('the file cannot be read', error);
    throw error;
  }
  const passwords = text.split(/\r?\n/).filter((line) => line !== '');
  if (passwords.length === 0) throw refuse('the file has no line');
  return PasswordList.of(passwords);
}

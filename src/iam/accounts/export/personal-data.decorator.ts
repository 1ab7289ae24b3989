import { Reflector } from '@nestjs/core';
import type { UserId } from '../../../kernel/index.js';

/** Part of an export. */
export interface PersonalDataRules {
  /** Name of the part, such as `sessions`. */
  readonly part: string;
  /** What it is, in one sentence for the person. */
  readonly description: string;
  /** What each field of an item is. */
  readonly fields: Readonly<Record<string, string>>;
  /** Tables that the part covers. */
  readonly tables: readonly string[];
}

/** Maximum number of items of a part; the newest ones. */
export const MAX_EXPORTED = 10_000;

/**
 * Reads what is kept about a person.
 * @returns at most {@link MAX_EXPORTED} items, whose fields the rules describe
 */
export type ReadPersonalData = (userId: UserId) => Promise<readonly object[]>;

/**
 * Marks a {@link ReadPersonalData} method: a part of the document that people can ask for. A module
 * that keeps rows about people has one for them. Secrets and their hashes are left out.
 */
export const PersonalData = Reflector.createDecorator<PersonalDataRules>();

import type { NewAccount } from './import.repository.js';
import type { ImportedPerson } from './imported-person.js';

/** A line of the file that may become an account. */
export interface Candidate {
  readonly line: number;
  readonly account: NewAccount;
  /** Keys that the account has if it was imported before: one for each root secret. */
  readonly importKeys: readonly string[];
  readonly memberships: NonNullable<ImportedPerson['memberships']>;
  readonly identities: NonNullable<ImportedPerson['identities']>;
  readonly totpSecret: string | null;
  readonly passkeys: NonNullable<ImportedPerson['passkeys']>;
}

/** The line is not imported. The text says why, without personal data. */
export class RefusedLine extends Error {
  override readonly name = 'RefusedLine';
}

/** Returns whether it is an account and nothing more: many of these are created at once. */
export function isPlain({ memberships, identities, totpSecret, passkeys }: Candidate): boolean {
  return memberships.length + identities.length + passkeys.length === 0 && totpSecret === null;
}

/** A line whose person is invited. */
interface Invited {
  readonly line: number;
  readonly person: ImportedPerson;
}

/** Candidates whose import keys and addresses differ, and people to invite after them. */
export class ImportBatch {
  readonly invited: Invited[] = [];
  private readonly byKey = new Map<string, Candidate>();
  private readonly addresses = new Set<string>();

  get candidates(): Candidate[] {
    return [...this.byKey.values()];
  }

  get size(): number {
    return this.byKey.size + this.invited.length;
  }

  /** @throws {RefusedLine} if an earlier line of the batch has the key or the address */
  add(candidate: Candidate): void {
    const { importKey, emailKey } = candidate.account;
    if (this.addresses.has(emailKey)) throw new RefusedLine('an earlier line has the address');
    if (this.byKey.has(importKey)) throw new RefusedLine('an earlier line has the externalId');
    this.byKey.set(importKey, candidate);
    this.addresses.add(emailKey);
  }
}

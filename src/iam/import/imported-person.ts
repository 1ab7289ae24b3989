import { z } from 'zod';
import { isEmailAddress, MAX_PASSKEYS, ULID_PATTERN } from '../../kernel/index.js';
import { requireUnambiguousJson } from '../../platform/web/index.js';
import { FOREIGN_HASH } from './imported-hash.js';

const MAX_MEMBERSHIPS = 100;
const MAX_IDENTITIES = 10;

const LINE_OF_TEXT = /^\P{Cc}*$/u;
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(LINE_OF_TEXT, 'has control characters')
    // The database would store another text for half of a pair of surrogates.
    .refine((given) => given.isWellFormed(), 'is not Unicode');

const END = z.iso.datetime({ offset: true, error: 'is not a time' });

const MEMBERSHIP = z.strictObject({
  tenantId: z.string().regex(new RegExp(ULID_PATTERN), 'is not the id of an organization'),
  roles: z.array(text(100)).min(1).max(20),
  /** End of the membership. */
  until: END.nullish(),
  /** Ends of some of the roles. */
  roleEnds: z
    .array(z.strictObject({ key: text(100), until: END }))
    .max(20)
    .nullish(),
});

const IDENTITY = z.strictObject({ kind: text(40), issuer: text(512), subject: text(512) });

/** Bytes in base64url without padding. @param max of its characters */
const bytes = (max: number) =>
  z
    .string()
    .min(2)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'is not base64url');

const PASSKEY = z.strictObject({
  /** Domain to which the browser binds the passkey. */
  rpId: text(253),
  credentialId: bytes(1_364),
  /** User handle (WebAuthn section 5.4.3): 64 bytes at most. */
  userHandle: bytes(86),
  /** COSE key (RFC 9052 section 7). */
  publicKey: bytes(2_048),
  signCount: z.int().min(0).max(4_294_967_295),
  backupEligible: z.boolean(),
  backedUp: z.boolean(),
  transports: z.array(z.string()).max(100).nullish(),
  name: text(100).nullish(),
});

/** Why a person gets no account. */
export const UNVERIFIED = 'has to be true: accounts have verified addresses alone';

/** A person as another system exports them: a line of the file. */
const PERSON = z.strictObject({
  externalId: text(255),
  email: z.string().refine(isEmailAddress, 'is not an address'),
  /** Without it the person gets no account: an import invites them, or refuses the line. */
  emailVerified: z.boolean(),
  firstName: text(100).nullish(),
  lastName: text(100).nullish(),
  displayName: text(100).nullish(),
  passwordHash: FOREIGN_HASH.nullish(),
  memberships: z.array(MEMBERSHIP).max(MAX_MEMBERSHIPS).nullish(),
  identities: z.array(IDENTITY).max(MAX_IDENTITIES).nullish(),
  totpSecret: text(256).nullish(),
  passkeys: z.array(PASSKEY).max(MAX_PASSKEYS).nullish(),
});

export type ImportedPerson = z.infer<typeof PERSON>;

/** A person for whom a directory vouches: a line of the file, without credentials. */
const VOUCHED = PERSON.pick({
  externalId: true,
  email: true,
  firstName: true,
  lastName: true,
  displayName: true,
  memberships: true,
}).extend({ emailVerified: z.literal(true, UNVERIFIED) });

export type VouchedPerson = z.infer<typeof VOUCHED>;

/** Reads the answer of a directory. @returns a sentence as {@link readPerson} does */
export function readVouched(answer: unknown): VouchedPerson | string {
  const person = VOUCHED.safeParse(answer);
  return person.success ? person.data : sentenceOf(person.error);
}

/**
 * Reads a line of the file.
 * @returns a sentence without personal data if it is not such a person
 */
export function readPerson(line: string): ImportedPerson | string {
  const json = parsed(line);
  if (json === undefined) return 'is not JSON';
  const person = PERSON.safeParse(json);
  if (!person.success) return sentenceOf(person.error);
  return isUnambiguous(line) ? person.data : 'has a field twice';
}

/** Parsers differ in which of two equal fields counts: a check may have seen the other. */
function isUnambiguous(line: string): boolean {
  try {
    requireUnambiguousJson(line);
    return true;
  } catch {
    return false;
  }
}

function sentenceOf({ issues: [issue] }: z.ZodError): string {
  if (issue?.code === 'unrecognized_keys') return 'has a field that is not imported';
  const field = issue?.path.join('.') ?? '';
  const said = issue?.code === 'custom' || issue?.code === 'invalid_format' || field === 'emailVerified';
  return `${field || 'the line'} ${said ? issue?.message : 'is missing or not valid'}`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import { folded } from '../../ui/folded.ts';
import { fromCsv } from '../../ui/csv.ts';
import {
  convert,
  type ConvertedFormat,
  type FirebaseParameters,
  formatOf,
  type ImportPerson,
  type ImportRecord,
  isRecord,
  textOf,
} from './import-formats.ts';

/** Largest file that is converted in the browser, which reads it whole. */
const MAX_CONVERTED_BYTES = 200 * 1024 * 1024;
const HEAD_BYTES = 256 * 1024;

/** Fields that a column of a table can be. */
export const COLUMN_FIELDS = [
  'email',
  'externalId',
  'emailVerified',
  'firstName',
  'lastName',
  'displayName',
  'passwordHash',
] as const;
type ColumnField = (typeof COLUMN_FIELDS)[number];

/** Column of each field; an empty text for none. */
export type Mapping = Readonly<Record<ColumnField, string>>;

interface NumberedRecord {
  /** Line of a file with a record a line, or in CSV; number of the record in others. */
  readonly line: number;
  readonly record: ImportRecord;
}

/** What a file is: sent as it is (`ready`), the export of a system, or a table with columns. */
export type ImportSource =
  | { readonly format: 'ready'; readonly preview: readonly ImportRecord[] }
  | { readonly format: ConvertedFormat; readonly records: readonly NumberedRecord[] }
  | {
      readonly format: 'table';
      readonly records: readonly NumberedRecord[];
      readonly columns: readonly string[];
      readonly mapping: Mapping;
    };

/** A file that cannot be converted: too large for the browser, or not of a known form. */
export class UnknownSource extends Error {
  readonly why: 'large' | 'unknown';

  constructor(why: 'large' | 'unknown') {
    super(why);
    this.why = why;
  }
}

/**
 * Recognizes a file.
 * @throws {UnknownSource}
 * @throws {DOMException} if the file was changed or removed
 */
export async function readSource(file: File): Promise<ImportSource> {
  const head = (await file.slice(0, HEAD_BYTES).text()).replace(/^\uFEFF/, '');
  const preview = head.split('\n').map(parsed).filter(isRecord);
  if (preview[0] && isReady(preview[0])) return { format: 'ready', preview };
  if (file.size > MAX_CONVERTED_BYTES) throw new UnknownSource('large');
  const records = recordsIn(await file.text());
  const first = records[0]?.record;
  if (!first) throw new UnknownSource('unknown');
  const format = formatOf(first);
  if (format) return { format, records };
  const columns = [...new Set(records.slice(0, 100).flatMap(({ record }) => Object.keys(record)))];
  const mapping = guessMapping(columns);
  if (!Object.values(first).some(isAddress)) throw new UnknownSource('unknown');
  return { format: 'table', records, columns, mapping };
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && value.includes('@');

const isReady = (record: ImportRecord): boolean =>
  'externalId' in record && 'email' in record && 'emailVerified' in record;

function recordsIn(text: string): readonly NumberedRecord[] {
  const document = parsed(text);
  const list = Array.isArray(document) ? document : listIn(document);
  if (list) return list.filter(isRecord).map((record, at) => ({ line: at + 1, record }));
  if (text.trimStart().startsWith('{'))
    return text.split('\n').flatMap((one, at) => {
      const record = parsed(one);
      return isRecord(record) ? [{ line: at + 1, record }] : [];
    });
  return tableIn(text);
}

/** Finds the people in the export of Keycloak, Firebase and Cognito. */
function listIn(document: unknown): readonly unknown[] | null {
  if (!isRecord(document)) return null;
  const list = document['users'] ?? document['Users'];
  return Array.isArray(list) ? list : null;
}

function tableIn(text: string): readonly NumberedRecord[] {
  const [head, ...rows] = csvIn(text);
  if (!head || head.cells.length < 2) return [];
  return rows.map(({ line, cells }) => ({
    line,
    record: Object.fromEntries(head.cells.map((name, at) => [name, cells[at] ?? ''])),
  }));
}

function csvIn(text: string) {
  try {
    return fromCsv(text);
  } catch {
    throw new UnknownSource('unknown');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Usual headings, folded and without signs. */
const HEADINGS: Readonly<Record<ColumnField, readonly string[]>> = {
  email: ['email', 'emailaddress', 'mail', 'emailadresse', 'correo', 'courriel'],
  externalId: ['externalid', 'id', 'userid', 'uid', 'uuid', 'sub', 'personid', 'customerid', 'number'],
  emailVerified: ['emailverified', 'verified', 'isverified', 'emailconfirmed', 'confirmed'],
  firstName: ['firstname', 'givenname', 'forename', 'vorname', 'prenom', 'nombre', 'voornaam', 'imie'],
  lastName: ['lastname', 'familyname', 'surname', 'nachname', 'nom', 'apellido', 'achternaam', 'nazwisko'],
  displayName: ['displayname', 'name', 'fullname'],
  passwordHash: ['passwordhash', 'passworddigest', 'hash', 'encryptedpassword', 'password'],
};

function guessMapping(columns: readonly string[]): Mapping {
  const plain = (column: string) => folded(column).replace(/[^a-z0-9]/g, '');
  const guess = (field: ColumnField) =>
    HEADINGS[field].map((heading) => columns.find((column) => plain(column) === heading)).find(Boolean) ?? '';
  return Object.fromEntries(COLUMN_FIELDS.map((field) => [field, guess(field)])) as Record<
    ColumnField,
    string
  >;
}

/** What the operator has said about the file. */
export interface ConversionOptions {
  readonly mapping: Mapping;
  /** Whether the owners of all addresses have confirmed them, where no column says so. */
  readonly allVerified: boolean;
  readonly firebase: FirebaseParameters;
  /** Id of the organization to which people are invited whose address is not verified; or empty. */
  readonly inviteTo: string;
}

/** A converted file. */
export interface Conversion {
  /** With a person a line, by their line in the source: reasons of refusals name it. */
  readonly people: ReadonlyMap<number, ImportPerson>;
  /** Addresses that are not verified, of people who are not invited. */
  readonly unverified: readonly string[];
  readonly withoutAddress: number;
}

/** Converts the records of a file. */
export function convertSource(
  source: Exclude<ImportSource, { format: 'ready' }>,
  { mapping, allVerified, firebase, inviteTo }: ConversionOptions,
): Conversion {
  const people = new Map<number, ImportPerson>();
  const unverified: string[] = [];
  let withoutAddress = 0;
  for (const { line, record } of source.records) {
    const person =
      source.format === 'table'
        ? personInTable(record, mapping, allVerified)
        : convert(source.format, record, firebase);
    if (!person) withoutAddress += 1;
    else if (person.emailVerified) people.set(line, person);
    else if (inviteTo !== '') people.set(line, invited(person, inviteTo));
    else unverified.push(person.email);
  }
  return { people, unverified, withoutAddress };
}

/** Leaves out the password and the rest: the address is not known to be the person's. */
const invited = ({ externalId, email }: ImportPerson, tenantId: string): ImportPerson => ({
  externalId,
  email,
  emailVerified: false,
  memberships: [{ tenantId, roles: ['member'] }],
});

const TRUE = /^(?:true|t|yes|y|1|ja|si|oui)$/i;

function personInTable(record: ImportRecord, mapping: Mapping, allVerified: boolean): ImportPerson | null {
  const read = (field: ColumnField): string | undefined => {
    const value = mapping[field] === '' ? undefined : record[mapping[field]];
    return textOf(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);
  };
  const email = read('email');
  if (email === undefined) return null;
  return {
    externalId: read('externalId') ?? email,
    email,
    emailVerified: mapping.emailVerified === '' ? allVerified : TRUE.test(read('emailVerified') ?? ''),
    firstName: read('firstName'),
    lastName: read('lastName'),
    displayName: read('displayName'),
    passwordHash: read('passwordHash'),
  };
}

/** Makes the file that is sent: blank lines keep the numbers of the others. */
export function toFile(name: string, people: Conversion['people']): File {
  const lines: string[] = [];
  for (const [line, person] of people) lines[line - 1] = JSON.stringify(person);
  return new File([Array.from(lines, (line) => `${line ?? ''}\n`).join('')], name);
}

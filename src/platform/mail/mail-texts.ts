import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidSettings } from '../config/index.js';
import {
  DEFAULT_LOCALE,
  findMessageFault,
  type Locale,
  LOCALES,
  type TextsByLocale,
  textsOf,
} from '../messages/index.js';

/** Texts that mails of several kinds have. */
const COMMON = { kind: 'common', parts: ['copy-address', 'go-to-app'] } as const;
const FILE_NAME = /^(?<kind>[\da-z-]+)\.(?<locale>[A-Za-z-]+)\.json$/;
const SUBJECT = 'subject';
/** Mail programs cut longer ones off. */
const MAX_SUBJECT_LENGTH = 150;
const MAX_TEXT_LENGTH = 1_000;
/** Header fields and lists of links are built of lines. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Texts are escaped, so that a tag would be shown as it is typed. */
const HTML = /<[!/a-z]|&(?:#\w+|[a-z]\w*);/i;

/**
 * Lists the texts of mails that a deployment can replace.
 * @returns ids by kind of mail and name of the text
 */
export function listMailTexts(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const kinds = new Map<string, Map<string, string>>([
    [COMMON.kind, new Map(COMMON.parts.map((part) => [part, `mail.${part}`]))],
  ]);
  for (const id of textsOf(DEFAULT_LOCALE).keys()) {
    const [, kind, part] = /^mail\.([^.]+)\.(.+)$/.exec(id) ?? [];
    if (kind === undefined || part === undefined) continue;
    const parts = kinds.get(kind) ?? new Map<string, string>();
    kinds.set(kind, parts.set(part, id));
  }
  return kinds;
}

/**
 * Reads the texts of mails in a folder: a file `kind.language.json` has texts by name.
 * @throws {InvalidSettings} listing everything that is wrong
 */
export function readMailTexts(folder: string): TextsByLocale {
  const faults: string[] = [];
  const texts = new Map<Locale, Map<string, string>>();
  for (const file of filesIn(folder)) {
    const read = readFile(folder, file);
    faults.push(...read.faults.map((fault) => `${file}: ${fault}`));
    const known = texts.get(read.locale) ?? new Map<string, string>();
    texts.set(read.locale, known);
    for (const [id, text] of read.texts) known.set(id, text);
  }
  if (faults.length > 0) throw refuse(faults);
  return texts;
}

function refuse(faults: readonly string[]): InvalidSettings {
  const lines = faults.map((fault) => `  MAIL_TEMPLATES: ${fault}`);
  return new InvalidSettings(`The settings are not valid:\n${lines.join('\n')}`);
}

/** A folder that Kubernetes mounts also has hidden folders, where it keeps the files. */
function filesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    throw refuse([`the folder ${folder} cannot be read`]);
  }
  if (names.length === 0) throw refuse([`the folder ${folder} has no file`]);
  return names.toSorted();
}

interface TextFile {
  readonly locale: Locale;
  /** Texts by id. */
  readonly texts: readonly (readonly [id: string, text: string])[];
  readonly faults: readonly string[];
}

function readFile(folder: string, file: string): TextFile {
  const refused = (fault: string): TextFile => ({ locale: DEFAULT_LOCALE, texts: [], faults: [fault] });
  const { kind = '', locale = '' } = FILE_NAME.exec(file)?.groups ?? {};
  if (kind === '') return refused('is not named kind.language.json');
  const known = listMailTexts().get(kind);
  if (!known) return refused(`there is no kind of mail "${kind}" (docs/mail-texts.md)`);
  if (!isLocale(locale))
    return refused(`there is no language "${locale}", but ${Object.keys(LOCALES).join(', ')}`);
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(join(folder, file))));
  } catch (error) {
    return refused(error instanceof SyntaxError ? `is not JSON (${error.message})` : 'is no file in UTF-8');
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return refused('is not an object of texts');
  const entries = Object.entries(content).map(([part, text]: [string, unknown]) => {
    const id = known.get(part);
    if (id === undefined)
      return { part, fault: `is not a text of this mail, which has ${[...known.keys()].join(', ')}` };
    const fault = typeof text === 'string' ? findTextFault(id, part, text, locale) : 'is not a text';
    return fault === null ? { id, text: String(text) } : { part, fault };
  });
  if (entries.length === 0) return refused('has no text');
  return {
    locale,
    texts: entries.flatMap(({ id, text }) => (id === undefined ? [] : [[id, text] as const])),
    faults: entries.flatMap(({ part, fault }) => (fault === undefined ? [] : [`"${part}" ${fault}`])),
  };
}

const isLocale = (name: string): name is Locale => Object.hasOwn(LOCALES, name);

function findTextFault(id: string, part: string, text: string, locale: Locale): string | null {
  const maxLength = part === SUBJECT ? MAX_SUBJECT_LENGTH : MAX_TEXT_LENGTH;
  if (text.trim() === '') return 'is empty';
  if (text.length > maxLength) return `has more than ${maxLength} characters`;
  if (BREAKS.test(text) || !text.isWellFormed()) return 'has a line break or a control character';
  if (HTML.test(text)) return 'has HTML, but must be plain text';
  return findMessageFault(id, text, locale);
}

import type { Message, Part } from './compiled.ts';

const ACCENTED: Readonly<Record<string, string>> = { a: 'å', e: 'é', i: 'î', o: 'ö', u: 'û', n: 'ñ', c: 'ç' };

/** Makes texts as long as in the longest languages, accented, and in brackets. */
export function pseudo<T extends Readonly<Record<string, Message>>>(texts: T): T {
  return Object.fromEntries(
    Object.entries(texts).map(([id, message]) => [
      id,
      typeof message === 'string' ? `⟦${stretch(message)}⟧` : ['⟦', ...message.map(change), '⟧'],
    ]),
  ) as unknown as T;
}

function change(part: Part): Part {
  if (typeof part === 'string') return stretch(part);
  if (part === 0) return part;
  switch (part[0]) {
    case 'tag':
      return ['tag', part[1], part[2].map(change)];
    case 'select':
    case 'plural': {
      const options = Object.entries(part[2]).map(([key, parts]) => [key, parts.map(change)] as const);
      return [part[0], part[1], Object.fromEntries(options)];
    }
    default:
      return part;
  }
}

/** Accents the letters, and doubles each third vowel: German is a third longer than English. */
function stretch(value: string): string {
  let vowels = 0;
  return value.replace(/[aeiounc]/g, (letter) => {
    const accented = ACCENTED[letter] ?? letter;
    return 'aeiou'.includes(letter) && vowels++ % 2 === 0 ? accented.repeat(3) : accented;
  });
}

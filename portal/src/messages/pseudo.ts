import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';

const ACCENTED: Readonly<Record<string, string>> = { a: 'å', e: 'é', i: 'î', o: 'ö', u: 'û', n: 'ñ', c: 'ç' };
/** Type of a literal element; the enumeration itself is not in the bundle. */
const LITERAL = 0;

/** Makes texts as long as in the longest languages, accented, and in brackets. */
export function pseudo<T extends Readonly<Record<string, string | MessageFormatElement[]>>>(texts: T): T {
  return Object.fromEntries(
    Object.entries(texts).map(([id, message]) => [
      id,
      typeof message === 'string'
        ? `⟦${stretch(message)}⟧`
        : [literal('⟦'), ...message.map(change), literal('⟧')],
    ]),
  ) as unknown as T;
}

const literal = (value: string): MessageFormatElement => ({ type: LITERAL, value });

function change(element: MessageFormatElement): MessageFormatElement {
  if (element.type === LITERAL) return literal(stretch((element as { value: string }).value));
  if ('children' in element) return { ...element, children: element.children.map(change) };
  if (!('options' in element)) return element;
  const options = Object.entries(element.options).map(([key, option]) => [
    key,
    { ...option, value: option.value.map(change) },
  ]);
  return { ...element, options: Object.fromEntries(options) } as MessageFormatElement;
}

/** Accents the letters, and doubles each third vowel: German is a third longer than English. */
function stretch(value: string): string {
  let vowels = 0;
  return value.replace(/[aeiounc]/g, (letter) => {
    const accented = ACCENTED[letter] ?? letter;
    return 'aeiou'.includes(letter) && vowels++ % 2 === 0 ? accented.repeat(3) : accented;
  });
}

/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ı: 'i', ł: 'l', ø: 'o', đ: 'd', ß: 'ss' };

/**
 * Returns a text in lower case and without accents, to compare what is typed with names: `İzin`
 * and `izin` are the same. The same in each language, as names are of any.
 */
export const folded = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıłøđß]/g, (letter) => PLAIN[letter] ?? letter);

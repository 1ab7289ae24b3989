import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { SERVICE } from '../../../platform/mail/index.js';

/** Names of the service, which no organization may take. */
@Injectable()
export class ServiceNames {
  /** As they are read. */
  private readonly names: readonly string[];

  constructor(@Inject(SETTINGS) { MFA_ISSUER: issuer }: Settings) {
    this.names = [SERVICE, issuer].map(skeletonOf).filter((name) => name !== '');
  }

  /**
   * Tells whether a name that an organization chose could be read as the service's, so that a page
   * or a mail of the organization would pass for one of the service itself.
   */
  resemble(text: string): boolean {
    const read = skeletonOf(text);
    return this.names.some((name) => (name.length < MIN_LENGTH ? read === name : read.includes(name)));
  }
}

/** Characters that are read as a Latin letter, in addition to those that Unicode decomposes. */
const READ_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  $: 's',
  '@': 'a',
  ı: 'i',
  ɑ: 'a',
  ɡ: 'g',
  а: 'a',
  е: 'e',
  һ: 'h',
  і: 'i',
  о: 'o',
  с: 'c',
  ѕ: 's',
  т: 't',
  у: 'y',
  ԍ: 'g',
  ս: 'u',
  օ: 'o',
  ց: 'g',
  α: 'a',
  ε: 'e',
  ο: 'o',
  τ: 't',
  υ: 'u',
};
/** Shorter names occur within other words. */
const MIN_LENGTH = 6;

/** Returns a text as it is read: Latin letters without accents, case, spaces and signs. */
function skeletonOf(text: string): string {
  const letters = [...text.normalize('NFKD').toLowerCase()].map((letter) => READ_AS[letter] ?? letter);
  return letters.join('').replace(/[^\p{L}\p{N}]/gu, '');
}

import { randomInt } from 'node:crypto';

/** Crockford's base 32: without letters that are read as others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 random bits, of a code that lives for ten minutes. */
const LENGTH = 12;

/** Creates a code of three groups that people can type. */
export function createRegistrationCode(): string {
  const code = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return code.replace(/(.{4})(?=.)/g, '$1-');
}

/** Returns the code as it is hashed: without regard to case, hyphens, and letters for digits. */
export function foldRegistrationCode(code: string): string {
  return code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
}

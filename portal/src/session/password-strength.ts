import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** From 0, which is guessed at once, to 4. */
export type Strength = 0 | 1 | 2 | 3 | 4;

/**
 * Estimates how soon attackers guess a password. Loaded when one is typed: it has 49,000 passwords.
 * @param own what is known of the person, such as name and address
 */
export const strengthOf = (password: string, own: readonly string[]): Strength =>
  estimator.check(password, own.flatMap(partsOf)).score;

/** An address counts as a whole and without its domain. */
const partsOf = (word: string): string[] => [word, word.replace(/@[^@]*$/, '')];

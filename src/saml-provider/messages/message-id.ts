import { randomBytes } from 'node:crypto';

/** Returns an ID of a message, which must not begin with a digit in XML. */
export const newMessageId = (): string => `_${randomBytes(20).toString('hex')}`;

/** Returns a time as messages have it. @param time in milliseconds */
export const instantOf = (time: number): string => new Date(time).toISOString();

/** Returns the day of a time where the user is, as a date field has it. */
export function dayOf(time: string): string {
  const date = new Date(time);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Returns the last second of a day where the user is. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

/**
 * Returns the end that a date field says: null if it is empty. A field that still has the day of
 * the present end leaves the time of day as it is.
 */
export function endOfField(day: string | undefined, present: string | null = null): string | null {
  if (day === undefined) return null;
  return present !== null && dayOf(present) === day ? present : endOfDay(day);
}

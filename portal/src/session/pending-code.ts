const KEY = 'gatehouse.email-code';
/** Lifetime of a code in the service. */
const LIFETIME_MS = 600_000;

/** A code that this browser has asked for. */
export interface PendingCode {
  readonly email: string;
  /** Page after the sign-in. */
  readonly next: string;
  readonly until: number;
}

/**
 * Remembers for which address this browser has asked for a code, so that the mailed link signs in
 * here alone: not in the browser of a program that scans mails, nor of a person to whom an attacker
 * has sent the link of the attacker's own account.
 */
export const pendingCode = {
  note(email: string, next: string): PendingCode {
    const note = { email, next, until: Date.now() + LIFETIME_MS };
    try {
      localStorage.setItem(KEY, JSON.stringify(note));
    } catch {
      // blocked or full: the code can still be entered in this tab
    }
    return note;
  },

  /** @returns null without one, or after it has expired */
  read(): PendingCode | null {
    try {
      const note = JSON.parse(localStorage.getItem(KEY) ?? 'null') as PendingCode | null;
      return note !== null && note.until > Date.now() ? note : null;
    } catch {
      return null;
    }
  },

  drop(): void {
    try {
      localStorage.removeItem(KEY);
    } catch {
      // blocked
    }
  },
};

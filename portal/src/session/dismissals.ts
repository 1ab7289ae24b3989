import { useState } from 'react';

const PREFIX = 'gatehouse.dismissed.';
const DAY_MS = 86_400_000;
/** Time after which a person is asked again. */
const LASTS_MS = 90 * DAY_MS;

/** What this browser has been told not to show again for a while, by the id of the user. */
const dismissals = {
  has: (what: string, userId: string): boolean => {
    const at = inStorage((storage) => storage.getItem(keyOf(what, userId)));
    return at !== null && Date.now() - Number(at) < LASTS_MS;
  },
  add: (what: string, userId: string): void => {
    inStorage((storage) => storage.setItem(keyOf(what, userId), String(Date.now())));
  },
};

/** @returns whether the user has dismissed it here, and a function that does */
export function useDismissal(what: string, userId: string): [boolean, () => void] {
  const [isDismissed, setDismissed] = useState(() => dismissals.has(what, userId));
  return [
    isDismissed,
    () => {
      dismissals.add(what, userId);
      setDismissed(true);
    },
  ];
}

const keyOf = (what: string, userId: string): string => `${PREFIX}${what}.${userId}`;

/** @returns null in browsers that refuse storage */
function inStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

let byPassword: string | null = null;

/**
 * The session that a password has begun in this tab. In memory: the offer of a passkey is about
 * this sign-in, and not about each page.
 */
export const passwordSignIn = {
  note: (sessionId: string | null): void => {
    byPassword = sessionId;
  },
  isNoted: (sessionId: string | null): boolean => sessionId !== null && byPassword === sessionId,
};

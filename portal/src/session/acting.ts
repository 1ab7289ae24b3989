import { PAGE_PATHS, pathIn } from './paths.ts';

const KEY = 'gatehouse-acting';

/** Session in which this tab acts as another person, for an operator. */
export interface Acting {
  readonly sessionId: string;
  readonly tenantId: string;
  readonly accessToken: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The session that this tab has from its start on; null if it is the user's own. In the storage of
 * the tab and of no other, with a token that ends within half an hour and has no successor.
 */
export const acting: Acting | null = read();

function read(): Acting | null {
  const kept = sessionStorage.getItem(KEY);
  const found = kept === null ? null : (JSON.parse(kept) as Acting);
  if (found && found.expiresAt > Date.now()) return found;
  sessionStorage.removeItem(KEY);
  return null;
}

/** Begins to act as a person. Loads the page again, so that nothing of the operator stays in it. */
export function startActing(session: Acting): void {
  sessionStorage.setItem(KEY, JSON.stringify(session));
  location.assign(pathIn(PAGE_PATHS.organization, session.tenantId));
}

/** Goes back to the operator's own session, which the cookies of the browser have kept. */
export function stopActing(): void {
  sessionStorage.removeItem(KEY);
  location.assign(PAGE_PATHS.operatorPeople);
}

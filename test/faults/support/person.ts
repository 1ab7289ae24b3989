import { ulid } from 'ulid';
import type { SatelliteCredentials } from './fleet.js';
import type { Mailbox } from './mailbox.js';
import { Possible } from './possible.js';
import type { Json, Line } from './wire.js';

/** A sign-in that the user still uses. */
export interface Session {
  readonly id: string;
  access: string;
  accessAt: number;
  refresh: string;
  /** Number of acknowledged refreshes. */
  refreshes: number;
  /** When an unanswered refresh was sent; the same token is presented until one is answered. */
  unansweredSince: number | null;
  readonly tenantId: Possible<string | null>;
  tenantToken: string | null;
  /** Grants of the satellite: those acknowledged, and those that may exist in addition. */
  satellite: { certain: number; maybe: number };
}

/** A sign-in whose end was acknowledged. */
export interface EndedSession extends Session {
  readonly endedAt: number;
}

/** An organization, as its owner knows it. */
export interface Tenant {
  readonly id: string;
  readonly name: Possible<string>;
  /** Name of each role by id; null when it was deleted. */
  readonly roles: Map<string, Possible<string | null>>;
  /** Role of each further member by user; null when the user was removed. */
  readonly members: Map<Person, Possible<string | null>>;
  readonly invited: Set<Person>;
}

/** A user of the service, and the state that answers have acknowledged. */
export class Person {
  readonly email = `${ulid().toLowerCase()}@example.com`;
  readonly password = new Possible(`quiet-harbour-${ulid()}`);
  readonly firstName = new Possible('Ada');
  /** Name before the last acknowledged change, and the time of the change. */
  formerName = { value: '', at: 0 };
  stage: 'new' | 'pending' | 'active' | 'erased' | 'lost' = 'new';
  /** Verification was sent and not answered: the account may exist. */
  verifying = false;
  userId = '';
  readonly sessions: Session[] = [];
  readonly ended: EndedSession[] = [];
  tenant: Tenant | null = null;
  /** Tokens of accepted invitations. */
  readonly usedTokens = new Set<string>();
  /** Token of an invitation whose acceptance was not answered. */
  unansweredToken = '';
  /**
   * Refreshes refused because their answer was lost longer ago than the retry window: the service
   * signed an honest client out.
   */
  signedOut = 0;
  busy = false;

  /** Whether the session is alive is unknown: it is no longer used or compared. */
  forget(session: Session): void {
    this.sessions.splice(this.sessions.indexOf(session), 1);
  }

  /** The end of the session was acknowledged. */
  end(session: Session): void {
    this.forget(session);
    this.ended.push({ ...session, endedAt: Date.now() });
    if (this.ended.length > 5) this.ended.shift();
  }
}

/** What a step of a user works with. */
export interface World {
  readonly wire: Line;
  readonly mailbox: Mailbox;
  readonly satellite: SatelliteCredentials;
  readonly people: readonly Person[];
}

/** A step that a user may make. */
export interface Step {
  readonly weight: number;
  readonly can: (person: Person, world: Omit<World, 'wire'>) => boolean;
  readonly run: (person: Person, world: World) => Promise<void>;
}

export function sessionOf(tokens: Json): Session {
  return {
    id: String(tokens['sessionId']),
    access: String(tokens['accessToken']),
    accessAt: Date.now(),
    refresh: String(tokens['refreshToken']),
    refreshes: 0,
    unansweredSince: null,
    tenantId: new Possible<string | null>(null),
    tenantToken: null,
    satellite: { certain: 0, maybe: 0 },
  };
}

export function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}

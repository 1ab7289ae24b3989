import { ulid } from 'ulid';
import type { SatelliteCredentials } from './fleet.js';
import type { Mailbox } from './mailbox.js';
import { Possible } from './possible.js';
import type { Json, Line } from './wire.js';

/** A sign-in that its owner goes on using. */
export interface Session {
  readonly id: string;
  access: string;
  accessAt: number;
  refresh: string;
  /** Refreshes that were acknowledged. */
  refreshes: number;
  /** When a refresh was sent that nobody answered; until one is, the same token is presented again. */
  unansweredSince: number | null;
  readonly tenantId: Possible<string | null>;
  tenantToken: string | null;
  /** Grants of the satellite: those acknowledged, and those that may be there beside them. */
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
  /** The name of each role by its id; null when it is deleted. */
  readonly roles: Map<string, Possible<string | null>>;
  /** The role of each further member by the person; null when they are out. */
  readonly members: Map<Person, Possible<string | null>>;
  readonly invited: Set<Person>;
}

/** One user of the service, and what they know to be so because it was acknowledged. */
export class Person {
  readonly email = `${ulid().toLowerCase()}@example.com`;
  readonly password = new Possible(`quiet-harbour-${ulid()}`);
  readonly firstName = new Possible('Ada');
  /** What they were called before the last change was acknowledged, and when that was. */
  formerName = { value: '', at: 0 };
  stage: 'new' | 'pending' | 'active' | 'erased' | 'lost' = 'new';
  /** Verification was sent and nobody answered: the account may be there. */
  verifying = false;
  userId = '';
  readonly sessions: Session[] = [];
  readonly ended: EndedSession[] = [];
  tenant: Tenant | null = null;
  /** Of invitations that were accepted. */
  readonly usedTokens = new Set<string>();
  /** Of an invitation whose acceptance nobody answered. */
  unansweredToken = '';
  /** Refreshes that were refused because their answer was lost longer ago than the retry window: an honest client was signed out. */
  signedOut = 0;
  busy = false;

  /** Nobody knows whether the session is still there: it is not used any more and nothing is said of it. */
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

/** What a step of a person has to do with. */
export interface World {
  readonly wire: Line;
  readonly mailbox: Mailbox;
  readonly satellite: SatelliteCredentials;
  readonly people: readonly Person[];
}

/** Something that a person may do. */
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

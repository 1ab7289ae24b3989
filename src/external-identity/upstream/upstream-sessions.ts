import { Injectable } from '@nestjs/common';
import type { Connection } from '../../connection/index.js';
import { KeyDerivation, keyedHash, keyedHashes, Sealer } from '../../platform/crypto/index.js';
import type { UpstreamMatch, UpstreamSession } from '../../session/index.js';
import type { ProvenProfile, UpstreamNames } from '../providers/provider.js';

/**
 * Longest SessionIndex that a request for a logout repeats: it goes into an address. Without one,
 * the request is for all sessions of the person.
 */
const MAX_SESSION_INDEX = 256;

/** What a request for a logout at the provider names. */
export interface NamedSession extends UpstreamNames {
  readonly subject: string;
}

/** Sessions that a provider names, by its own values. */
export interface NamedSessions {
  /** null for any person. */
  readonly subject: string | null;
  readonly sessionIndexes?: readonly string[];
  readonly sid?: string | null;
}

type What = 'subject' | 'index' | 'sid';

/** Hashes and seals what providers call sign-ins: a NameID often is an address. */
@Injectable()
export class UpstreamSessions {
  private readonly sealer: Sealer;

  constructor(private readonly keys: KeyDerivation) {
    this.sealer = new Sealer(keys, 'upstream-session-seal');
  }

  /** @returns null for a profile without what a logout needs */
  create(
    { id }: Pick<Connection, 'id'>,
    { subject, upstream }: Pick<ProvenProfile, 'subject' | 'upstream'>,
  ): UpstreamSession | null {
    if (!upstream) return null;
    const { sessionIndex, sid, ...names } = upstream;
    const hash = (what: What, value: string | undefined) =>
      value === undefined
        ? null
        : keyedHash(this.keys, 'upstream-session', textOf(id, what, value)).toString('hex');
    const isShort = sessionIndex !== undefined && sessionIndex.length <= MAX_SESSION_INDEX;
    const named: NamedSession = { subject, ...names, ...(isShort && { sessionIndex }) };
    return {
      nameIdHash: keyedHash(this.keys, 'upstream-session', textOf(id, 'subject', subject)).toString('hex'),
      sessionIndex: hash('index', sessionIndex),
      oidcSid: hash('sid', sid),
      sealed: this.sealer.seal(JSON.stringify(named)),
    };
  }

  /** Opens what {@link create} has sealed. */
  open(sealed: string): NamedSession {
    return JSON.parse(this.sealer.open(sealed)) as NamedSession;
  }

  /** Returns the hashes of what a provider names, under the current key and the previous one. */
  match(connectionId: string, { subject, sessionIndexes = [], sid = null }: NamedSessions): UpstreamMatch {
    const hashes = (what: What, values: readonly string[]) =>
      values.flatMap((value) =>
        keyedHashes(this.keys, 'upstream-session', textOf(connectionId, what, value)).map((hash) =>
          hash.toString('hex'),
        ),
      );
    return {
      connectionId,
      nameIdHashes: hashes('subject', subject === null ? [] : [subject]),
      sessionIndexes: hashes('index', sessionIndexes),
      oidcSids: hashes('sid', sid === null ? [] : [sid]),
    };
  }
}

const textOf = (connectionId: string, what: What, value: string): string =>
  JSON.stringify([connectionId, what, value]);

import { Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';

/** Time for all answers of one resolver. */
const TIMEOUT_MS = 4_000;
const QUERY_TIMEOUT_MS = 1_500;
const TRIES = 2;
/** Other records that are reported. */
const MAX_REPORTED = 5;
const MAX_REPORTED_LENGTH = 100;
/** Codes of answers that say that there is no record. */
const ABSENT = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Result of a lookup. `found`: every resolver has the record. `missing`: every resolver answered,
 * and one has not. `unknown`: a resolver gave no answer, which proves neither.
 */
export interface LookupResult {
  readonly verdict: 'found' | 'missing' | 'unknown';
  /** Other values that were found, as printable text. */
  readonly others: readonly string[];
}

/** The result for a domain, with the token that its record was compared with. */
export interface DomainCheck extends LookupResult {
  readonly token: string;
}

/** Returns the record that proves the control of a domain. */
export function recordOf({ domain, token }: { readonly domain: string; readonly token: string }): {
  readonly name: string;
  readonly value: string;
} {
  return { name: `_gatehouse.${domain}`, value: `gatehouse-verification=${token}` };
}

/**
 * Looks up the records of domains. Asks two resolvers, so that one forged or stale answer does not
 * verify a domain. Opens sockets: call it outside transactions.
 */
@Injectable()
export class DomainLookup {
  constructor(@Inject(SETTINGS) private readonly settings: Pick<Settings, 'DNS_SERVERS'>) {}

  /** Compares the record of a domain with its token, within four seconds. */
  async check(domain: { readonly domain: string; readonly token: string }): Promise<LookupResult> {
    const { name, value } = recordOf(domain);
    const answers = await Promise.all(this.servers().map((server) => ask(server, name)));
    const others = answers.flatMap((texts) => texts ?? []).filter((text) => text !== value);
    return {
      verdict: verdictOf(answers, value),
      others: [...new Set(others)].slice(0, MAX_REPORTED).map(toPrintable),
    };
  }

  /** Returns two servers; the same twice if there is one. */
  private servers(): string[] {
    const { DNS_SERVERS } = this.settings;
    const known = DNS_SERVERS.length > 0 ? DNS_SERVERS : new Resolver().getServers();
    const [first = '127.0.0.1', second = first] = known;
    return [first, second];
  }
}

function verdictOf(answers: readonly (readonly string[] | null)[], value: string): LookupResult['verdict'] {
  if (answers.includes(null)) return 'unknown';
  return answers.every((texts) => texts?.includes(value)) ? 'found' : 'missing';
}

/** @returns the texts of the name, whose parts are joined; null without an answer */
async function ask(server: string, name: string): Promise<string[] | null> {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: TRIES });
  resolver.setServers([server]);
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS);
  try {
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? [] : null;
  } finally {
    clearTimeout(timer);
  }
}

/** Shortens a foreign text and replaces what is not printable ASCII. */
function toPrintable(text: string): string {
  return text.slice(0, MAX_REPORTED_LENGTH).replaceAll(/[^ -~]/g, '?');
}

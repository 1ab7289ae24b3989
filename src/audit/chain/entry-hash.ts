import { hash } from 'node:crypto';

/** Hash before the first entry of a chain. */
export const NO_HASH = '0'.repeat(64);

/** What an entry commits to. Hashes are in lower-case hexadecimal. */
export interface Link {
  readonly sequence: number;
  /** Hash of the details; null for none. */
  readonly detailsHash: string | null;
  /** The event, as the {@link RECORD} of the database says it. */
  readonly record: string;
}

/**
 * Returns the hash of an entry: SHA-256 of four lines, so that any tool can compute it.
 * @param before hash of the entry before
 */
export const hashOfEntry = (before: string, { sequence, detailsHash, record }: Link): string =>
  hash('sha256', `${before}\n${sequence}\n${detailsHash ?? '-'}\n${record}`, 'hex');

/**
 * SQL of an event `e` as a JSON array: id, action, actor, organization, subject, operator who acted
 * as the person, ticket, seconds since 1970, transaction. Never change it: hashes are of this text.
 */
export const RECORD = `json_build_array(e.id, e.action, e.account_id, e.tenant_id, e.subject, e.impersonator_id, e.ticket, extract(epoch FROM e.created_at), e.xid::text)::text`;

/** SQL of the hash of the details `d`, with the salt that is erased with them; null for none. */
export const DETAILS_HASH = `encode(sha256(convert_to(d.salt::text || ' ' || d.details::text, 'UTF8')), 'hex')`;

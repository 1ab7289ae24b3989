import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { type Attributes, isComplex, normalizeResource } from '../scim/attributes.js';
import { ScimError } from '../scim/scim-error.js';

/** A directory of a tenant. */
export interface DirectoryScope {
  readonly tenantId: TenantId;
  readonly directoryId: string;
}

const MAX_NAME_LENGTH = 255;

/** @throws {ScimError} invalidValue unless it is a text of 1 to 255 characters */
export function requireName(attribute: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_NAME_LENGTH)
    throw new ScimError(400, 'invalidValue', `${attribute} must have 1 to ${MAX_NAME_LENGTH} characters.`);
}

/** U+0000 and lone surrogates in JSON, which PostgreSQL refuses; not such after a backslash. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** @throws {ScimError} invalidValue for long names, or a text that is not stored */
export function requireStorable(attributes: Attributes): void {
  if (attributes['externalId'] !== undefined) requireName('externalId', attributes['externalId']);
  const { displayName } = attributes;
  if (typeof displayName === 'string' && displayName !== '') requireName('displayName', displayName);
  if (UNSTORABLE.test(JSON.stringify(attributes)))
    throw new ScimError(400, 'invalidValue', 'Texts must not contain U+0000 or half of a character.');
}

/**
 * @param wanted version of the caller's If-Match; null without
 * @throws {ScimError} 412 if it is not the current one
 */
export function requireVersion(wanted: number | null, current: number): void {
  if (wanted !== null && wanted !== current)
    throw new ScimError(412, null, 'The resource has changed. Read it again.');
}

export function throwNotFound(): never {
  throw new ScimError(404, null, 'The resource does not exist.');
}

/**
 * Returns what is stored of the body of a user: normalized, without what clients cannot set. A
 * body without `active` leaves the person as they are: a change of something else must not activate
 * them.
 * @throws {ScimError} 400 for an invalid body
 */
export function userAttributesOf(body: unknown, stored: Attributes = {}): Attributes {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  const { active = stored['active'] ?? true, ...attributes } = normalizeResource(body, stored);
  requireName('userName', attributes['userName']);
  requireStorable(attributes);
  return { active, ...attributes };
}

/** Bytes that a membership of a group counts: about its row with two indexes. */
const MEMBERSHIP_BYTES = 128;
/** Largest values of the columns, for limits that are off. */
const MAX_INT = 2_147_483_647;

/**
 * Limits of what a directory stores. Triggers count the records and bytes of each directory, so
 * that every way to add or remove one counts, and statements compare them.
 */
@Injectable()
export class DirectorySpace {
  readonly maxRecords: number;
  readonly maxBytes: number;
  private readonly maxRecordBytes: number;

  constructor(
    private readonly directories: DirectoryRepository,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.maxRecords = settings.LIMIT_DIRECTORY_RECORDS ?? MAX_INT;
    this.maxBytes = settings.LIMIT_DIRECTORY_BYTES ?? Number.MAX_SAFE_INTEGER;
    this.maxRecordBytes = settings.LIMIT_RECORD_BYTES;
  }

  /**
   * Returns by how many bytes a record grows. One that is larger than the limit, as an earlier
   * release or setting allowed, may be changed as long as it does not grow: a person who leaves is
   * deactivated all the same.
   * @param stored attributes before the change; null for a new record
   * @throws {ScimError} 413 for a record that is too large
   */
  growthOf(attributes: Attributes, stored: Attributes | null): number {
    const bytes = bytesOf(attributes);
    const growth = bytes - (stored === null ? 0 : bytesOf(stored));
    if (bytes > this.maxRecordBytes && growth > 0)
      throw new ScimError(
        413,
        null,
        `The resource is larger than ${this.maxRecordBytes} bytes without its members. Send fewer attributes.`,
      );
    return growth;
  }

  growthOfMembers(count: number): number {
    return count * MEMBERSHIP_BYTES;
  }

  /**
   * Explains why nothing was written: the statement adds nothing to a directory that is full.
   * @param growth bytes that were to be added
   * @throws {ScimError} 404 without the directory; 413 if it is full
   */
  async requireSpace(
    { tenantId, directoryId }: DirectoryScope,
    growth: { readonly records: number; readonly bytes: number },
  ): Promise<void> {
    const used = (await this.directories.findUsage(tenantId, directoryId)) ?? throwNotFound();
    if (used.records + growth.records > this.maxRecords && growth.records > 0)
      throw full(`${this.maxRecords} users and groups`);
    if (used.bytes + growth.bytes > this.maxBytes && growth.bytes > 0) throw full(`${this.maxBytes} bytes`);
  }
}

/** Bytes of a record, without what `active: false` has more than `active: true`. */
const bytesOf = (attributes: Attributes): number =>
  Buffer.byteLength(JSON.stringify({ ...attributes, active: true }));

/**
 * 413: providers show its detail, and do not send it again at once, as they do after 429 or 5xx.
 */
const full = (maximum: string): ScimError =>
  new ScimError(
    413,
    null,
    `The directory has its maximum of ${maximum}. Delete some, or ask the operators of this service for more.`,
  );

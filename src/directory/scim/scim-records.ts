import { type DirectoryScope, throwNotFound } from '../records/record-lists.js';
import { idOf, type ListResponse, operationsOf, searchOf } from './scim-answers.js';
import { type Query, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';

/** Changes of records of one type. */
interface RecordSync<R> {
  replace(scope: DirectoryScope, id: string, version: number | null, body: unknown): Promise<R>;
  patch(scope: DirectoryScope, id: string, version: number | null, operations: unknown): Promise<R>;
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void>;
}

/** Answers calls about resources of one type: users or groups. */
export abstract class ScimRecords<R> {
  protected abstract readonly records: { find(scope: DirectoryScope, id: string): Promise<R | null> };
  protected abstract readonly sync: RecordSync<R>;

  abstract create(call: ScimCall): Promise<ScimAnswer>;

  /** Returns a page of resources, as far as the caller asks for them. */
  abstract page(call: ScimCall, query: Query): Promise<ListResponse>;

  /** Answers with a resource; 304 without it to a caller that has its version. */
  protected abstract show(call: ScimCall, record: R): ScimAnswer | Promise<ScimAnswer>;

  async list(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, call.query) };
  }

  async search(call: ScimCall): Promise<ScimAnswer> {
    return { status: 200, body: await this.page(call, searchOf(call.body)) };
  }

  async get(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, (await this.records.find(call.scope, idOf(id))) ?? throwNotFound());
  }

  async replace(call: ScimCall, id: string): Promise<ScimAnswer> {
    return this.show(call, await this.sync.replace(call.scope, idOf(id), versionOf(call.ifMatch), call.body));
  }

  async patch(call: ScimCall, id: string): Promise<ScimAnswer> {
    const operations = operationsOf(call.body);
    return this.show(call, await this.sync.patch(call.scope, idOf(id), versionOf(call.ifMatch), operations));
  }

  async remove(call: ScimCall, id: string): Promise<ScimAnswer> {
    await this.sync.remove(call.scope, idOf(id), versionOf(call.ifMatch));
    return { status: 204 };
  }
}

import { Injectable } from '@nestjs/common';
import { etagOfVersion } from '../../platform/web/index.js';
import { GroupRecords } from '../records/group-records.js';
import type { DirectoryGroupEntity } from '../records/group.entity.js';
import { MembersOfGroups } from '../records/members-of-groups.js';
import { MAX_TOTAL, pageSizeOf, type RecordPage, throwNotFound } from '../records/record-lists.js';
import { UserRecords } from '../records/user-records.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { type Attributes, isComplex } from '../scim/attributes.js';
import { ScimError } from '../scim/scim-error.js';
import { GroupSync } from '../projection/group-sync.js';
import { UserSync } from '../projection/user-sync.js';
import { bulk } from './scim-bulk.js';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.js';
import { chosen, groupOf, userOf } from './representation.js';
import { type Query, queryOf, type ScimAnswer, type ScimCall, versionOf } from './scim-call.js';

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A page (RFC 7644 section 3.4.2). */
interface ListResponse {
  readonly schemas: readonly string[];
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex?: number;
  readonly nextCursor?: string;
  readonly Resources: readonly Attributes[];
}

type Handler = () => Promise<ScimAnswer>;
type Handlers = Readonly<Record<string, Handler>>;

/** Answers the calls of directories (RFC 7644). */
@Injectable()
export class ScimRouter {
  constructor(
    private readonly users: UserRecords,
    private readonly groups: GroupRecords,
    private readonly members: MembersOfGroups,
    private readonly userSync: UserSync,
    private readonly groupSync: GroupSync,
  ) {}

  /** @throws {ScimError} also 404 for an unknown path, and 405 */
  route(call: ScimCall): Promise<ScimAnswer> {
    const handlers = this.handlersOf(call);
    const handler = handlers[call.method === 'HEAD' ? 'GET' : call.method];
    if (!handler) {
      const allow = Object.keys(handlers).join(', ');
      const body = new ScimError(405, null, `This path takes ${allow}.`).toBody();
      return Promise.resolve({ status: 405, body, headers: { Allow: allow } });
    }
    return handler();
  }

  private handlersOf(call: ScimCall): Handlers {
    const [resource, id, ...more] = call.segments;
    if (more.length > 0) return throwNotFound();
    const { baseUrl } = call;
    switch (resource) {
      case 'Users':
        return id === undefined ? this.usersHandlers(call) : this.userHandlers(call, id);
      case 'Groups':
        return id === undefined ? this.groupsHandlers(call) : this.groupHandlers(call, id);
      case 'ServiceProviderConfig':
        if (id !== undefined) return throwNotFound();
        return { GET: async () => ({ status: 200, body: serviceProviderConfig(baseUrl) }) };
      case 'ResourceTypes':
        return { GET: async () => documents(resourceTypes(baseUrl), id) };
      case 'Schemas':
        return { GET: async () => documents(schemas(baseUrl), id) };
      case 'Bulk':
        if (id !== undefined) return throwNotFound();
        return { POST: () => bulk(call, (one) => this.route(one)) };
      case '.search':
        if (id !== undefined) return throwNotFound();
        return { POST: async () => found(await this.listAll(call, searchOf(call.body))) };
      case 'Me':
        throw new ScimError(501, null, 'A token of a directory is no person.');
      default:
        return throwNotFound();
    }
  }

  private usersHandlers(call: ScimCall): Handlers {
    return {
      GET: async () => found(await this.listUsers(call, call.query)),
      POST: async () => {
        const user = await this.userSync.create(call.scope, call.body);
        return one(call, user, userOf(user, [], call.baseUrl), 201);
      },
    };
  }

  private userHandlers(call: ScimCall, id: string): Handlers {
    const { scope, body } = call;
    if (id === '.search') return { POST: async () => found(await this.listUsers(call, searchOf(body))) };
    const version = versionOf(call.ifMatch);
    return {
      GET: async () => this.user(call, (await this.users.find(scope, idOf(id))) ?? throwNotFound()),
      PUT: async () => this.user(call, await this.userSync.replace(scope, idOf(id), version, body)),
      PATCH: async () =>
        this.user(call, await this.userSync.patch(scope, idOf(id), version, operationsOf(body))),
      DELETE: async () => {
        await this.userSync.remove(scope, idOf(id), version);
        return { status: 204 };
      },
    };
  }

  private groupsHandlers(call: ScimCall): Handlers {
    return {
      GET: async () => found(await this.listGroups(call, call.query)),
      POST: async () => {
        const { group, memberIds } = await this.groupSync.create(call.scope, call.body);
        return one(call, group, groupOf(group, memberIds, call.baseUrl), 201);
      },
    };
  }

  private groupHandlers(call: ScimCall, id: string): Handlers {
    const { scope, body, baseUrl } = call;
    if (id === '.search') return { POST: async () => found(await this.listGroups(call, searchOf(body))) };
    const version = versionOf(call.ifMatch);
    const shown = ({ group, memberIds }: Awaited<ReturnType<GroupSync['replace']>>): ScimAnswer =>
      one(call, group, groupOf(group, memberIds, baseUrl));
    return {
      GET: async () => shown((await this.groups.find(scope, idOf(id))) ?? throwNotFound()),
      PUT: async () => shown(await this.groupSync.replace(scope, idOf(id), version, body)),
      PATCH: async () => shown(await this.groupSync.patch(scope, idOf(id), version, operationsOf(body))),
      DELETE: async () => {
        await this.groupSync.remove(scope, idOf(id), version);
        return { status: 204 };
      },
    };
  }

  private async user(call: ScimCall, user: DirectoryUserEntity): Promise<ScimAnswer> {
    const groups = await this.members.groupsOf(call.scope, [user.id]);
    return one(call, user, userOf(user, groups.get(user.id) ?? [], call.baseUrl));
  }

  /**
   * Lists users, and groups after them.
   * @throws {ScimError} tooMany for more users than are counted; invalidValue for a cursor or order
   */
  private async listAll(call: ScimCall, query: Query): Promise<ListResponse> {
    if (query.cursor !== undefined || query.sortBy !== undefined)
      throw new ScimError(400, 'invalidValue', 'Search Users or Groups to sort, or to page by cursor.');
    const users = await this.listUsers(call, query);
    if (users.totalResults >= MAX_TOTAL)
      throw new ScimError(400, 'tooMany', 'Search Users and Groups one by one.');
    const start = Math.max(1, query.startIndex ?? 1);
    const groups = await this.listGroups(call, {
      ...query,
      startIndex: start - users.totalResults,
      count: pageSizeOf(query) - users.itemsPerPage,
    });
    return {
      schemas: [LIST],
      totalResults: users.totalResults + groups.totalResults,
      itemsPerPage: users.itemsPerPage + groups.itemsPerPage,
      startIndex: start,
      Resources: [...users.Resources, ...groups.Resources],
    };
  }

  private async listUsers({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.users.list(scope, query);
    const ids = page.items.map(({ id }) => id);
    const groups = await this.members.groupsOf(scope, ids);
    return listed(page, query, (user) => userOf(user, groups.get(user.id) ?? [], baseUrl));
  }

  private async listGroups({ scope, baseUrl }: ScimCall, query: Query): Promise<ListResponse> {
    const page = await this.groups.list(scope, query);
    const isShown = !query.excludedAttributes.includes('members');
    const members = await this.members.membersOf(scope, isShown ? page.items.map(({ id }) => id) : []);
    return listed(page, query, (group) => groupOf(group, members.get(group.id) ?? [], baseUrl));
  }
}

function one(
  { ifNoneMatch, method, query }: ScimCall,
  { version }: DirectoryUserEntity | DirectoryGroupEntity,
  resource: Attributes,
  status = 200,
): ScimAnswer {
  const headers = { ETag: etagOfVersion(version) };
  if (method === 'GET' && ifNoneMatch !== null && versionOf(ifNoneMatch) === version)
    return { status: 304, headers };
  const { location } = resource['meta'] as { location: string };
  return {
    status,
    body: chosen(resource, query),
    headers: { ...headers, ...(status === 201 && { Location: location }) },
  };
}

function listed<E>(
  { items, total, nextCursor }: RecordPage<E>,
  query: Query,
  show: (item: E) => Attributes,
): ListResponse {
  const start = Math.max(1, query.startIndex ?? 1);
  return {
    schemas: [LIST],
    totalResults: total,
    itemsPerPage: items.length,
    ...(query.cursor === undefined ? { startIndex: start } : nextCursor !== null && { nextCursor }),
    Resources: items.map((item) => chosen(show(item), query)),
  };
}

const found = (body: ListResponse): ScimAnswer => ({ status: 200, body });

function documents(all: readonly { readonly id: string }[], id: string | undefined): ScimAnswer {
  if (id !== undefined)
    return { status: 200, body: all.find((document) => document.id === id) ?? throwNotFound() };
  const body = {
    schemas: [LIST],
    totalResults: all.length,
    startIndex: 1,
    itemsPerPage: all.length,
    Resources: all,
  };
  return { status: 200, body };
}

const ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** @throws {ScimError} 404 for a text that no id is */
const idOf = (text: string): string => (ID.test(text) ? text : throwNotFound());

function searchOf(body: unknown): Query {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  return queryOf((name) => body[name]);
}

/** Reads `Operations` of a PATCH; its name is case-insensitive, as of any attribute. */
function operationsOf(body: unknown): unknown {
  if (!isComplex(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be an object.');
  return Object.entries(body).find(([name]) => name.toLowerCase() === 'operations')?.[1];
}

import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Edge, MAX_PARENTS, ThingRepository } from './thing.repository.js';
import '../organization.messages.js';

/** Most things above one thing: a decision reads all of them. */
export const MAX_ABOVE = 1_000;
/** Most edges that one statement returns: those above one thing, and no more. */
const MAX_EDGES = (MAX_ABOVE + 1) * MAX_PARENTS;

/** Says of what the things of other services are parts, for the decision. */
@Injectable()
export class ThingParents {
  constructor(private readonly things: ThingRepository) {}

  /**
   * Finds what is above things, at any depth, in one statement unless that is very much.
   * @param lock keeps it so until the open transaction ends
   * @returns the parents of each registered thing above them, and of themselves
   * @throws {AppError} conflict if too much is above one of them
   */
  async findParents(
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    if (lock && !(await this.things.lockForShare(tenantId))) return new Map();
    const edges = Map.groupBy(await this.findEdges(tenantId, things), ({ thing }) => thing);
    return new Map([...edges].map(([thing, found]) => [thing, found.map(({ parent }) => parent)]));
  }

  /** Returns whether a registered thing is a direct part of something in these collections. */
  isBelow(tenantId: TenantId, collections: readonly string[]): Promise<boolean> {
    return this.things.isBelow(tenantId, collections);
  }

  /** Lists what registered things are direct parts of in these collections, in order. */
  listParents(
    tenantId: TenantId,
    collections: readonly string[],
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<string[]> {
    return this.things.listParents(tenantId, collections, page);
  }

  /** Lists registered things of a collection in order of id, as `HeldScopes` says. */
  async listRegistered(
    tenantId: TenantId,
    collection: string,
    things: readonly string[] | null,
    { limit, after }: { readonly limit: number; readonly after: string | null },
  ): Promise<string[]> {
    const prefix = `${collection}/`;
    const from = `${prefix}${after ?? ''}`;
    const found = await this.things.listBelow(tenantId, things, { from, prefix, limit });
    return found.map((thing) => thing.slice(prefix.length));
  }

  /** Asks for the halves of what has too many edges, so that each thing has its limit. */
  private async findEdges(tenantId: TenantId, things: readonly string[]): Promise<Edge[]> {
    const edges = await this.things.findAbove(tenantId, things, MAX_EDGES + 1);
    if (edges.length <= MAX_EDGES) return edges;
    if (things.length === 1)
      throw new AppError('conflict', { reason: { id: 'thing.too-many-above', values: { max: MAX_ABOVE } } });
    const half = things.length >> 1;
    const first = await this.findEdges(tenantId, things.slice(0, half));
    const second = await this.findEdges(tenantId, things.slice(half));
    return [...new Map([...first, ...second].map((edge) => [`${edge.thing} ${edge.parent}`, edge])).values()];
  }
}

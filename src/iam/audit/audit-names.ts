import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { nameOf } from '../accounts/person-name.js';
import type { AuditEvent } from './audit-event.repository.js';
import {
  ActsInTrail,
  type FindActors,
  type FindNamedThings,
  MACHINE_ACTORS,
  type MachineActor,
  NamedInTrail,
  type NamedInTrailRules,
} from './named-in-trail.decorator.js';

export const ACTOR_KINDS = ['person', 'erased', ...MACHINE_ACTORS, 'unknown'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Names of an event, as they are now; null for what is gone or has no name. */
export interface EventNames {
  readonly actorKind: ActorKind;
  readonly actorName: string | null;
  readonly subjectName: string | null;
  readonly impersonatorName: string | null;
  /** Name of the partner by whose partnership it was allowed. */
  readonly partnerName: string | null;
}

/** Returns the names of an event of the page that they were found for. */
export type NamesOf = (event: AuditEvent) => EventNames;

interface Named {
  readonly kind: ActorKind;
  readonly name: string | null;
}

/** Collections whose ids are people's. */
const OF_PEOPLE = ['iam/members', 'iam/accounts'];
/** Of events of the platform. */
const NO_TENANT = '' as TenantId;
const PARTNERSHIPS = 'iam/partnerships';
const UNKNOWN: Named = { kind: 'unknown', name: null };

/** Finds the names of a page of audit events, by one statement for each kind of thing in it. */
@Injectable()
export class AuditNames {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly callers: CallerScopes,
    private readonly marked: MarkedMethods,
  ) {}

  /**
   * Finds the names of events of an organization. Who reads the trail sees who did it; things that
   * it happened to, as far as the caller's scopes let them read these.
   */
  async ofTenant(tenantId: TenantId, caller: Principal, events: readonly AuditEvent[]): Promise<NamesOf> {
    return this.find(tenantId, (await this.callers.findCallerScopes(caller, false)) ?? (() => false), events);
  }

  /**
   * Finds the names of events for operators.
   * @param tenantId the organization that all of them are of; null names subjects only if they are
   *   people: each organization would take its own statements
   */
  async ofPlatform(tenantId: TenantId | null, events: readonly AuditEvent[]): Promise<NamesOf> {
    if (tenantId !== null) return this.find(tenantId, () => true, events);
    return namesBy(await this.findActors(events), new Map());
  }

  private async find(
    tenantId: TenantId,
    holds: (scope: string) => boolean,
    events: readonly AuditEvent[],
  ): Promise<NamesOf> {
    const actors = await this.findActors(events);
    return namesBy(actors, await this.findSubjects(tenantId, holds, events));
  }

  /** Finds people and machines; the latter of all organizations at once. */
  private async findActors(events: readonly AuditEvent[]): Promise<Map<string, Named>> {
    const actors = await this.findPeople(events);
    const others = events.filter(({ actorId }) => !actors.has(actorId));
    const asked = [...new Map(others.map((event) => [`${event.tenantId}/${event.actorId}`, event])).values()];
    if (asked.length === 0) return actors;
    const tenantIds = asked.map(({ tenantId }) => tenantId ?? NO_TENANT);
    const ids = asked.map(({ actorId }) => actorId);
    for (const { mark: kind, method } of this.marked.find<MachineActor, FindActors>(ActsInTrail))
      for (const { id, name } of await method(tenantIds, ids)) actors.set(id, { kind, name });
    return actors;
  }

  /** Finds the subjects that may be read, by their paths. */
  private async findSubjects(
    tenantId: TenantId,
    holds: (scope: string) => boolean,
    events: readonly AuditEvent[],
  ): Promise<Map<string, string>> {
    const subjects = new Map<string, string>();
    for (const { mark, method } of this.marked.find<NamedInTrailRules, FindNamedThings>(NamedInTrail)) {
      const { collection, scope } = mark;
      const ids = holds(scope) ? unique([...idsIn(collection, events), ...viasIn(collection, events)]) : [];
      if (ids.length === 0) continue;
      for (const { id, name } of await method(tenantId, ids)) subjects.set(`${collection}/${id}`, name);
    }
    return subjects;
  }

  private async findPeople(events: readonly AuditEvent[]): Promise<Map<string, Named>> {
    const ids = unique([
      ...events.flatMap(({ actorId, impersonatorId }) => [actorId, impersonatorId ?? actorId]),
      ...OF_PEOPLE.flatMap((collection) => idsIn(collection, events)),
    ]);
    const people = ids.length === 0 ? [] : await this.accounts.findNamed(ids);
    return new Map(
      people.map(({ id, isErased, email, ...name }) => [
        id,
        { kind: isErased ? 'erased' : 'person', name: nameOf(name) ?? email },
      ]),
    );
  }
}

function namesBy(actors: ReadonlyMap<string, Named>, subjects: ReadonlyMap<string, string>): NamesOf {
  const nameOfPerson = (path: string | null): string | null => {
    const collection = OF_PEOPLE.find((one) => path?.startsWith(`${one}/`));
    return (collection && actors.get(path?.slice(collection.length + 1) ?? '')?.name) ?? null;
  };
  return ({ actorId, impersonatorId, subject, details }) => {
    const { kind, name } = actors.get(actorId) ?? UNKNOWN;
    return {
      actorKind: kind,
      actorName: name,
      subjectName: subjects.get(subject ?? '') ?? nameOfPerson(subject),
      impersonatorName: (impersonatorId && actors.get(impersonatorId)?.name) ?? null,
      partnerName: subjects.get(`${PARTNERSHIPS}/${viaOf(details)}`) ?? null,
    };
  };
}

const viaOf = (details: AuditEvent['details']): string | null =>
  details && 'via' in details ? details.via : null;

/** Returns the partnerships by which events were allowed, if these are the collection. */
const viasIn = (collection: string, events: readonly AuditEvent[]): string[] =>
  collection === PARTNERSHIPS ? events.flatMap(({ details }) => viaOf(details) ?? []) : [];

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Returns the ids of the subjects in a collection. */
const idsIn = (collection: string, events: readonly AuditEvent[]): string[] =>
  events.flatMap(({ subject }) =>
    subject?.startsWith(`${collection}/`) === true ? [subject.slice(collection.length + 1)] : [],
  );

import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import type { Principal, TenantId } from '../../kernel/index.js';
import { MarkedMethods } from '../../platform/discovery/index.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { nameOf } from '../accounts/person-name.js';
import { TenantRepository } from '../organizations/tenants/tenant.repository.js';
import { type AuditEvent, FormerNameRepository } from './audit-event.repository.js';
import {
  ActsInTrail,
  type FindNamed,
  MACHINE_ACTORS,
  type MachineActor,
  NamedInTrail,
  type NamedInTrailRules,
} from './named-in-trail.decorator.js';

export const ACTOR_KINDS = ['person', 'erased', ...MACHINE_ACTORS, 'unknown'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Names of an event: the current ones, or the last one of what is deleted; null for none. */
export interface EventNames {
  readonly actorKind: ActorKind;
  readonly actorName: string | null;
  readonly actorDeleted: boolean;
  readonly subjectName: string | null;
  /** Whether the subject is known to be deleted. */
  readonly subjectDeleted: boolean;
  readonly impersonatorName: string | null;
  /** Name of the partner by whose partnership it was allowed. */
  readonly partnerName: string | null;
  /** Name of the organization; for operators only, null for an event of none. */
  readonly tenantName?: string | null;
}

/** Returns the names of an event of the page that they were found for. */
export type NamesOf = (event: AuditEvent) => EventNames;

interface NamedActor {
  readonly kind: ActorKind;
  readonly name: string | null;
  readonly isDeleted: boolean;
}

type NamedSubject = Pick<NamedActor, 'name' | 'isDeleted'>;

/** Collections whose ids are people's. */
const OF_PEOPLE = ['iam/members', 'iam/workers', 'iam/accounts'];
const TENANTS = 'iam/tenants';
/** Of events of the platform. */
const NO_TENANT = '' as TenantId;
const PARTNERSHIPS = 'iam/partnerships';
const UNKNOWN: NamedActor = { kind: 'unknown', name: null, isDeleted: false };
const NO_NAME: NamedSubject = { name: null, isDeleted: false };
/** Actors whose names are kept when they are deleted, with their collections. */
const KEPT_ACTORS = [
  ['service-account', 'iam/service-accounts'],
  ['directory', 'iam/directories'],
  ['connection', 'iam/connections'],
] as const satisfies readonly (readonly [MachineActor, string])[];

/** Finds the names of a page of audit events, by one statement for each kind of thing in it. */
@Injectable()
export class AuditNames {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly callers: CallerScopes,
    private readonly formerNames: FormerNameRepository,
    private readonly marked: MarkedMethods,
    private readonly tenants: TenantRepository,
  ) {}

  /**
   * Finds the names of events of an organization. Who reads the trail sees who did it; things that
   * it happened to, as far as the caller's scopes let them read these.
   */
  async ofTenant(caller: Principal, events: readonly AuditEvent[]): Promise<NamesOf> {
    return this.find((await this.callers.findCallerScopes(caller, false)) ?? (() => false), events);
  }

  /** Finds the names of events for operators: also of the organizations that they are of. */
  async ofPlatform(events: readonly AuditEvent[]): Promise<NamesOf> {
    const namesOf = await this.find(() => true, events);
    const ids = unique([...events.flatMap(({ tenantId }) => tenantId ?? []), ...idsIn(TENANTS, events)]);
    const tenants = await this.tenants.findNames(ids as TenantId[]);
    return (event) => {
      const names = namesOf(event);
      const [subject] = idsIn(TENANTS, [event]) as TenantId[];
      return {
        ...names,
        subjectName: (subject && tenants.get(subject)) ?? names.subjectName,
        tenantName: (event.tenantId && tenants.get(event.tenantId)) ?? null,
      };
    };
  }

  private async find(holds: (scope: string) => boolean, events: readonly AuditEvent[]): Promise<NamesOf> {
    const actors = await this.findActors(events);
    const subjects = await this.findSubjects(holds, events);
    await this.addFormerNames(events, actors, subjects);
    return namesBy(actors, subjects);
  }

  /** Finds people and machines; the latter of all organizations at once. */
  private async findActors(events: readonly AuditEvent[]): Promise<Map<string, NamedActor>> {
    const actors = await this.findPeople(events);
    const others = events.filter(({ actorId }) => !actors.has(actorId));
    const asked = [...new Map(others.map((event) => [`${event.tenantId}/${event.actorId}`, event])).values()];
    if (asked.length === 0) return actors;
    const tenantIds = asked.map(({ tenantId }) => tenantId ?? NO_TENANT);
    const ids = asked.map(({ actorId }) => actorId);
    for (const { mark: kind, method } of this.marked.find<MachineActor, FindNamed>(ActsInTrail))
      for (const { id, name } of await method(tenantIds, ids))
        actors.set(id, { kind, name, isDeleted: false });
    return actors;
  }

  /** Finds the subjects that may be read. Those that do not exist have no name. */
  private async findSubjects(
    holds: (scope: string) => boolean,
    events: readonly AuditEvent[],
  ): Promise<Map<string, NamedSubject>> {
    const subjects = new Map<string, NamedSubject>();
    for (const { mark, method } of this.marked.find<NamedInTrailRules, FindNamed>(NamedInTrail)) {
      const { collection, scope } = mark;
      const asked = holds(scope) ? thingsIn(collection, events) : [];
      if (asked.length === 0) continue;
      for (const { key } of asked) subjects.set(key, NO_NAME);
      const tenantIds = asked.map(({ tenantId }) => tenantId);
      const ids = asked.map(({ id }) => id);
      for (const { tenantId, id, name } of await method(tenantIds, ids))
        subjects.set(keyOf(tenantId, `${collection}/${id}`), { name, isDeleted: false });
    }
    return subjects;
  }

  /** Names the actors and subjects that do not exist any more, by one statement. */
  private async addFormerNames(
    events: readonly AuditEvent[],
    actors: Map<string, NamedActor>,
    subjects: Map<string, NamedSubject>,
  ): Promise<void> {
    const ofActors = events.filter(({ actorId, tenantId }) => tenantId !== null && !actors.has(actorId));
    const asked = [
      ...[...subjects].flatMap(([key, named]) => (named === NO_NAME ? [partsOf(key)] : [])),
      ...ofActors.flatMap(({ tenantId, actorId }) =>
        KEPT_ACTORS.map(([, collection]) => [tenantId ?? NO_TENANT, `${collection}/${actorId}`] as const),
      ),
    ];
    if (asked.length === 0) return;
    const found = await this.formerNames.find(
      asked.map(([tenantId]) => tenantId),
      asked.map(([, path]) => path),
    );
    for (const { tenantId, subject, name } of found) {
      const key = keyOf(tenantId, subject);
      if (subjects.has(key)) subjects.set(key, { name, isDeleted: true });
      const [kind, collection] = KEPT_ACTORS.find(([, one]) => subject.startsWith(`${one}/`)) ?? [];
      const id = subject.slice((collection?.length ?? 0) + 1);
      if (kind && !actors.has(id)) actors.set(id, { kind, name, isDeleted: true });
    }
  }

  private async findPeople(events: readonly AuditEvent[]): Promise<Map<string, NamedActor>> {
    const ids = unique([
      ...events.flatMap(({ actorId, impersonatorId }) => [actorId, impersonatorId ?? actorId]),
      ...OF_PEOPLE.flatMap((collection) => idsIn(collection, events)),
    ]);
    const people = ids.length === 0 ? [] : await this.accounts.findNamed(ids);
    return new Map(
      people.map(({ id, isErased, email, ...name }) => [
        id,
        { kind: isErased ? 'erased' : 'person', name: nameOf(name) ?? email, isDeleted: isErased },
      ]),
    );
  }
}

function namesBy(
  actors: ReadonlyMap<string, NamedActor>,
  subjects: ReadonlyMap<string, NamedSubject>,
): NamesOf {
  const personOf = (path: string | null): NamedSubject | undefined => {
    const collection = OF_PEOPLE.find((one) => path?.startsWith(`${one}/`));
    return collection === undefined ? undefined : actors.get(path?.slice(collection.length + 1) ?? '');
  };
  return ({ actorId, impersonatorId, tenantId, subject, details }) => {
    const actor = actors.get(actorId) ?? UNKNOWN;
    const named = subjects.get(keyOf(tenantId, subject ?? '')) ?? personOf(subject) ?? NO_NAME;
    return {
      actorKind: actor.kind,
      actorName: actor.name,
      actorDeleted: actor.isDeleted,
      subjectName: named.name,
      subjectDeleted: named.isDeleted,
      impersonatorName: (impersonatorId && actors.get(impersonatorId)?.name) ?? null,
      partnerName: subjects.get(keyOf(tenantId, `${PARTNERSHIPS}/${viaOf(details)}`))?.name ?? null,
    };
  };
}

const viaOf = (details: AuditEvent['details']): string | null =>
  details && 'via' in details ? details.via : null;

/** Key of a subject: a partnership has another name in each of its organizations. */
const keyOf = (tenantId: TenantId | null, path: string): string => `${tenantId ?? NO_TENANT} ${path}`;

/** Returns the organization and the path of a key. */
function partsOf(key: string): readonly [TenantId, string] {
  const at = key.indexOf(' ');
  return [key.slice(0, at) as TenantId, key.slice(at + 1)];
}

interface AskedThing {
  readonly key: string;
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Returns the subjects in a collection, and the partnerships by which events were allowed. */
function thingsIn(collection: string, events: readonly AuditEvent[]): readonly AskedThing[] {
  const asked = events.flatMap((event) => {
    const via = collection === PARTNERSHIPS ? viaOf(event.details) : null;
    return [...idsIn(collection, [event]), ...(via === null ? [] : [via])].map((id) => {
      const tenantId = event.tenantId ?? NO_TENANT;
      return { key: keyOf(tenantId, `${collection}/${id}`), tenantId, id };
    });
  });
  return [...new Map(asked.map((one) => [one.key, one])).values()];
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Returns the ids of the subjects in a collection. */
const idsIn = (collection: string, events: readonly AuditEvent[]): string[] =>
  events.flatMap(({ subject }) =>
    subject?.startsWith(`${collection}/`) === true ? [subject.slice(collection.length + 1)] : [],
  );

import { Injectable, type Type } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import { Database, prepared, textArray } from '../database/index.js';
import { EventAudience } from './event-audience.js';
import { EventSequencer } from './event-sequencer.js';
import { type EventType, eventTypeOf } from './event-type.js';

/** What happened, as the command says it. */
interface Emission<T extends object = object> {
  /** Organizations that it concerns. */
  readonly tenantIds?: readonly TenantId[];
  /** Person whose organizations it concerns, in place of `tenantIds`. */
  readonly person?: UserId;
  /** `<module>/<collection>/<id>` of what it happened to. */
  readonly subject: string;
  /** Person who caused it; null for the service itself. */
  readonly actorId: UserId | null;
  /** Ids and changed fields. Never personal data. */
  readonly data: T;
}

/** An emission with its type. */
export type TypedEmission = Emission & { readonly type: EventType };

/** Emits events of one type. */
export interface Emitter<T extends object> {
  /** Emits in the open transaction, so that an event exists exactly if the command commits. */
  emit(...emissions: Emission<T>[]): Promise<void>;
}

/** Part of a statement, with its parameters. */
interface Fragment {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Parameters of {@link Events.statement}. */
const PARAMETERS = 7;

/** Emits events (ADR 39). */
@Injectable()
export class Events {
  constructor(
    private readonly database: Database,
    private readonly sequencer: EventSequencer,
    private readonly audience: EventAudience,
  ) {}

  /**
   * Returns the emitter of a type. Call it in a constructor: a class that is not declared then
   * stops the start.
   * @throws {Error} if the class has no `@EventType`
   */
  emitter<T extends object>(model: Type<T>): Emitter<T> {
    const type = eventTypeOf(model);
    return { emit: (...emissions) => this.emitAll(emissions.map((emission) => ({ ...emission, type }))) };
  }

  private async emitAll(emissions: readonly TypedEmission[]): Promise<void> {
    if (emissions.length === 0) return;
    const { sql, parameters } = this.statement(emissions);
    await this.database.rows(prepared(sql), parameters);
  }

  /**
   * Returns a statement that emits events, for a caller that sends it as a WITH query of another
   * one. Wakes the sequencer after the commit.
   * @param first number of its first parameter
   * @throws {Error} outside a transaction
   */
  statement(emissions: readonly TypedEmission[], first = 1): Fragment {
    if (!this.database.inTransaction) throw new Error('Events are emitted in the transaction of a command.');
    this.database.afterCommit(() => this.sequencer.wake());
    const [ids, types, tenants, people, subjects, actors, data] = Array.from(
      { length: PARAMETERS },
      (_, n) => `$${first + n}`,
    );
    return {
      sql: `INSERT INTO events (id, type, tenant_ids, subject, actor_id, data)
       SELECT e.id, e.type, CASE WHEN e.person IS NULL THEN string_to_array(e.tenants, ',') ELSE array(${this.audience.tenantsOfPerson}) END,
         e.subject, e.actor_id, e.data
       FROM unnest(${ids}::text[], ${types}::text[], ${tenants}::text[], ${people}::text[], ${subjects}::text[], ${actors}::text[], ${data}::jsonb[])
         AS e (id, type, tenants, person, subject, actor_id, data)`,
      parameters: [
        textArray(emissions.map(() => newId())),
        textArray(emissions.map(({ type }) => type.name)),
        textArray(emissions.map(({ tenantIds = [] }) => tenantIds.join(','))),
        textArray(emissions.map(({ person }) => person ?? null)),
        textArray(emissions.map(({ subject }) => subject)),
        textArray(emissions.map(({ actorId }) => actorId)),
        textArray(emissions.map(({ data: fields }) => JSON.stringify(fields))),
      ],
    };
  }
}

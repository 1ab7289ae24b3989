import { REQUEST_CONFLICTS } from './access-requests.js';
import { CONNECTION_CONFLICTS } from './connections.js';
import type { AbilityRegistry } from '../../../src/ability/index.js';
import type { Command } from './commands.js';
import { expected, scopesOfTenants, type Check, type Decision } from './expectation.js';
import type { Step } from './plan.js';
import { SCOPES } from './scopes.js';
import type { Reply, ServiceLine } from './service-line.js';
import type { Subject } from './subject.js';
import type { Tally } from './tally.js';
import { holds, newId, thingsWith, type Caller, type World } from './world.js';

/** What a {@link Look} needs of the running service. */
export interface Ground {
  readonly line: ServiceLine;
  readonly registry: AbilityRegistry;
  readonly commands: readonly Command[];
  readonly tally: Tally;
  /** Hashes a key as the service stores it. */
  hashOfKey(plainKey: string): Buffer;
  /** Signs an access token, or returns the key of a machine. */
  tokenOf(caller: Caller): string;
  /** Decides as a command repeats it: under row locks, in a transaction. */
  decideLocked(check: Omit<Check, 'scope'>, scopes: readonly string[]): Promise<Decision[]>;
}

/** Maximum number of scopes of a permission check. */
const MAX_SCOPES = 50;
const RESTORE = 'iam:tenant:restore';

/**
 * Compares, for one caller and one subject, the permission check of every scope of that type of
 * subject with the commands.
 */
export class Look {
  private readonly token: string;
  /** Tenant that paths name. */
  private readonly tenantId: string;
  private readonly commands: readonly Command[];
  private readonly scopes: readonly string[];
  /** Whether a command has changed the world since the probes. */
  private stale = false;
  /** Scopes and decisions counted in the current state: a scope can have many commands. */
  private readonly counted = new Set<string>();

  constructor(
    private readonly ground: Ground,
    private readonly world: World,
    private readonly caller: Caller,
    private readonly subject: Subject | null,
    private readonly step: Step,
  ) {
    this.token = ground.tokenOf(caller);
    this.tenantId = (caller.tenant ?? world.tenants[0]!).id;
    const { module, collection } = subject ?? { module: 'iam', collection: 'tenants' };
    this.commands = ground.commands.filter((at) => at.module === module && at.collection === collection);
    this.scopes = [...new Set([...this.commands.map(({ scope }) => scope), ...step.others])];
  }

  async compare(): Promise<void> {
    const { caller, commands, scopes, step } = this;
    if (scopes.length === 0) return;
    await this.probe(scopes);
    if (step.choice % 3 === 0) await this.lock();
    for (const scope of scopes.filter((one) => !commands.some((command) => command.scope === one)))
      this.ground.tally.add('probe', scope, this.expect({ scope }));
    const acting = commands.filter((command) => command.changes && this.decisionOf(command).allowed);
    await Promise.all([
      ...commands.filter((command) => !acting.includes(command)).map((command) => this.command(command)),
      ...commands.flatMap((command) =>
        this.listPathCases(command).map((pathCase) => this.comparePathCase(command, pathCase)),
      ),
    ]);
    const first = step.choice % Math.max(1, acting.length);
    const archivedBefore = caller.tenant?.archived;
    await this.act([...acting.slice(first), ...acting.slice(0, first)]);
    // Few commands are allowed in an archived organization, so that most are restored soon.
    if (archivedBefore === false && caller.tenant?.archived && step.choice % 5 > 0)
      await this.act(commands.filter(({ scope }) => scope === RESTORE));
  }

  /** Runs the commands one by one, each after a permission check of the current state. */
  private async act(commands: readonly Command[]): Promise<void> {
    for (const command of commands) {
      if (!this.world.isPresent(this.caller)) return this.expectRefused(command);
      if (this.stale) await this.probe([command.scope]);
      await this.command(command);
    }
  }

  /** Checks scopes one by one, and all in one request with repetitions: with the same decisions. */
  private async probe(alone: readonly string[]): Promise<void> {
    const wanted = (scopes: readonly string[]) => ({
      status: 200,
      body: Object.fromEntries(scopes.map((scope) => [scope, this.expect({ scope })])),
    });
    const [together, ...singles] = await Promise.all([
      this.ask([...this.scopes, ...this.scopes.toReversed()].slice(0, MAX_SCOPES)),
      ...alone.map((scope) => this.ask([scope])),
    ]);
    this.expectSame('probed together', together, wanted(this.scopes));
    alone.forEach((scope, n) => this.expectSame('probed alone', singles[n], wanted([scope])));
    if (this.step.choice % 2 === 0) await this.evaluate();
  }

  /** Asks by AuthZEN, whose decisions are the same. */
  private async evaluate(): Promise<void> {
    const { caller, subject } = this;
    if (!subject) return;
    const scopes = this.scopes.slice(0, MAX_SCOPES);
    const reply = await this.ground.line.call('POST', '/access/v1/evaluations', this.token, {
      subject: {
        type: caller.key?.owner === 'service-account' ? 'service_account' : 'user',
        id: caller.user.id,
      },
      resource: { type: `${subject.module}/${subject.collection}`, id: subject.id },
      evaluations: scopes.map((name) => ({ action: { name } })),
    });
    const evaluations = scopes.map((scope) => {
      const decision = this.expect({ scope });
      if (decision.allowed) return { decision: true };
      return { decision: false, context: { code: decision.code, reason: decision.reason } };
    });
    this.expectSame('evaluated', reply, { status: 200, body: { evaluations } });
  }

  /** Compares the decision under locks, which HTTP does not reach after an earlier denial. */
  private async lock(): Promise<void> {
    const { caller, subject } = this;
    const decisions = await this.ground.decideLocked({ caller, subject }, this.scopes);
    const wanted = this.scopes.map((scope) => this.expect({ scope }));
    this.expectSame('decided under locks', decisions, wanted);
  }

  /** Runs the command. If it is allowed it succeeds, and its effect is recorded in the world. */
  private async command(command: Command): Promise<void> {
    const { world, caller, step, tenantId, ground } = this;
    const { scope } = command;
    const decision = this.decisionOf(command);
    const id = this.subject?.id ?? tenantId;
    const declared = scopesOfTenants(ground.registry);
    const deed = { world, caller, id, choice: step.choice, declared, route: command.route };
    const body = SCOPES[scope]?.body?.(deed);
    if (decision.allowed && body === null) return;
    const reply = await this.send(command, id, tenantId, body ?? undefined);
    this.expectSame(`commanded ${scope}`, outcomeOf(reply, caller), decision);
    if (decision.allowed) SCOPES[scope]?.done?.(deed, body as never, reply.body as { id: string });
    this.world.endKeys();
    const compared = `${scope} ${JSON.stringify(decision)}`;
    if (!this.counted.has(compared)) ground.tally.add('command', scope, decision, kindOf(caller, scope));
    this.counted.add(compared);
    if (!decision.allowed || !command.changes) return;
    this.stale = true;
    this.counted.clear();
  }

  /** Lists what only a path can name: another tenant besides the subject, or a malformed id. */
  private listPathCases({
    module,
    collection,
    namesSubject,
    namesTenant,
  }: Command): { subject: Subject; pathTenant: string }[] {
    const { world, subject, tenantId, step } = this;
    const otherTenantId = world.tenants.find(({ id }) => id !== tenantId)!.id;
    return [
      ...(namesTenant && subject && step.choice % 4 === 0
        ? [{ subject, pathTenant: step.choice % 8 === 0 ? otherTenantId : newId() }]
        : []),
      ...(namesSubject && step.choice % 11 === 0
        ? [{ subject: { module, collection, id: step.nonsense }, pathTenant: tenantId }]
        : []),
    ];
  }

  private async comparePathCase(
    command: Command,
    { subject, pathTenant }: { subject: Subject; pathTenant: string },
  ): Promise<void> {
    const { scope, namesTenant } = command;
    const decision = this.expect({ scope, subject, ...(namesTenant && { pathTenant }) });
    const reply = await this.send(command, subject.id, pathTenant);
    this.expectSame(
      `commanded ${scope} of ${JSON.stringify(subject)} in ${pathTenant}`,
      outcomeOf(reply, this.caller),
      decision,
    );
    this.ground.tally.add('path', scope, decision);
  }

  /** Expects 401 from both for a caller who has just left, or whose session has ended. */
  private async expectRefused(command: Command): Promise<void> {
    const replies = await Promise.all([
      this.ask([command.scope]),
      this.send(command, this.subject?.id ?? this.tenantId, this.tenantId),
    ]);
    const statuses = replies.map(({ status }) => status);
    this.expectSame('after the caller has left', statuses, [401, 401]);
  }

  /**
   * Returns the expected decision of a command. A path without an entity means no subject; one that
   * names the tenant always has one.
   */
  private decisionOf({ scope, namesSubject, module, collection }: Command): Decision {
    const subject = this.subject ?? { module, collection, id: this.tenantId };
    return this.expect({ scope, subject: namesSubject ? subject : null });
  }

  private expect(check: Pick<Check, 'scope'> & Partial<Check>): Decision {
    const { caller, subject } = this;
    return expected(this.world, this.ground.registry, { caller, subject, ...check });
  }

  private ask(scopes: readonly string[]): Promise<Reply> {
    const { module, collection, id } = this.subject ?? {};
    const subject = this.subject ? { subject: `gatehouse:///${module}/${collection}/${id}` } : {};
    return this.ground.line.call('POST', '/api/auth/can', this.token, { ...subject, scopes });
  }

  private send(command: Command, subject: string, tenant: string, body?: object): Promise<Reply> {
    const { world, caller } = this;
    const others = SCOPES[command.scope]?.others?.({ world, caller, id: subject }) ?? {};
    const path = command.path({ subject, tenant, others });
    return this.ground.line.call(command.method, path, this.token, body);
  }

  private expectSame(how: string, got: unknown, wanted: unknown): void {
    const [left, right] = [got, wanted].map((value) => JSON.stringify(value));
    if (left === right) return;
    const { user, tenant, client, key, signedInAgo, factor } = this.caller;
    const by = key ? `a key for ${JSON.stringify(key.scopes)}` : (client?.clientId ?? 'the app');
    const proof = `signed in ${signedInAgo} s ago, ${JSON.stringify(factor)}, session of ${user.session.age} s, policy ${JSON.stringify(tenant?.policy)}`;
    const who = `${user.id}, ${proof}, by ${by} in ${tenant?.id ?? 'no tenant'} about ${JSON.stringify(this.subject)}`;
    throw new Error(`${how}: got ${left}, expected ${right}; ${who}`);
  }
}

const kindOf = (caller: Caller, scope: string) => {
  const { user, tenant, client, key } = caller;
  if (key) return key.owner === 'person' ? 'personal key' : 'machine';
  const isOnThings = tenant !== null && !holds(caller, scope) && thingsWith(caller, scope).size > 0;
  if (tenant?.partners.has(user.id)) return isOnThings ? 'partner on things' : 'partner';
  if (isOnThings) return 'member on things';
  return client ? 'satellite' : 'app';
};

/** Reasons of `state_forbids` that are answered by 409. */
const CONFLICTS = [...CONNECTION_CONFLICTS, ...REQUEST_CONFLICTS];

/** Status of the denials that are not 403. */
const STATUS_OF: Readonly<Record<string, number>> = {
  subject_not_found: 404,
  authentication_insufficient: 401,
};

/** Returns the decision of a response; with its status, if that does not fit the decision. */
function outcomeOf({ status, body: { code, detail } }: Reply, { key }: Caller): unknown {
  if (status >= 200 && status < 300) return { allowed: true };
  const said = { allowed: false, code, reason: detail };
  // A program cannot confirm a sign-in: it is told that it may not.
  const isKey = key !== null && code === 'authentication_insufficient';
  const denied = isKey ? 403 : STATUS_OF[String(code)];
  const expected = denied ?? (CONFLICTS.includes(String(detail)) ? 409 : 403);
  return status === expected ? said : { status, ...said };
}

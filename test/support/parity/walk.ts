import { ulid } from 'ulid';
import type { AbilityRegistry } from '../../../src/ability/index.js';
import type { Command } from './commands.js';
import { expected, type Question, type Subject, type Verdict, scopesOfTenants } from './expectation.js';
import type { Step, SubjectPlan } from './plan.js';
import { SCOPES } from './scopes.js';
import type { Reply, ServiceLine } from './service-line.js';
import type { Kind, Tally } from './tally.js';
import type { Asker, World } from './world.js';

/** What a walk needs of the running service. */
export interface Ground {
  readonly line: ServiceLine;
  readonly registry: AbilityRegistry;
  readonly commands: ReadonlyMap<string, Command>;
  readonly tally: Tally;
  /** Signs an access token. */
  tokenOf(asker: Asker): string;
  /** The decision as the command repeats it: under row locks, in a transaction. */
  decideLocked(question: Omit<Question, 'scope'>, scopes: readonly string[]): Promise<Verdict[]>;
}

/** Looks, acts, and goes on from what has become of the world. */
export class Walk {
  constructor(
    private readonly ground: Ground,
    private readonly world: World,
  ) {}

  async take(step: Step): Promise<void> {
    const user = this.world.users[step.user]!;
    if (user.session.state !== 'alive') return;
    const tenants = this.world.tenantsOf(user);
    const tenant = step.tenant === null ? null : (tenants[step.tenant % tenants.length] ?? null);
    const look = new Look(this.ground, this.world, { user, tenant }, step);
    await look.compare();
  }
}

/** One asker, one subject, and every scope that could be about it. */
class Look {
  private readonly token: string;
  private readonly subject: Subject | null;
  private readonly commands: readonly Command[];

  constructor(
    private readonly ground: Ground,
    private readonly world: World,
    private readonly asker: Asker,
    private readonly step: Step,
  ) {
    this.token = ground.tokenOf(asker);
    this.subject = step.subject && resolve(world, asker, step.subject);
    const { subject } = this;
    this.commands = [...ground.commands.values()].filter(({ collection }) =>
      subject ? subject.module === 'iam' && subject.collection === collection : collection === 'tenants',
    );
  }

  async compare(): Promise<void> {
    const { commands, step } = this;
    const scopes = [...new Set([...commands.map(({ scope }) => scope), ...step.others])];
    if (scopes.length === 0) return;
    await this.probe(scopes);
    const onlyProbed = scopes.filter((scope) => !commands.some((command) => command.scope === scope));
    for (const scope of onlyProbed) this.count('probe', scope, this.expect(scope));
    const acting = commands.filter(({ scope, changes }) => changes && this.expect(scope).allowed);
    await Promise.all([
      ...commands.filter((command) => !acting.includes(command)).map((command) => this.command(command)),
      ...commands.flatMap((command) => this.stray(command)),
    ]);
    const first = step.choice % Math.max(1, acting.length);
    for (const command of [...acting.slice(first), ...acting.slice(0, first)]) {
      if (!this.world.isPresent(this.asker)) return this.refused(command);
      await this.probe([command.scope]);
      await this.command(command);
    }
  }

  /** Each scope alone, all in one with repetitions, and the decision under locks: always the same verdict. */
  private async probe(scopes: readonly string[]): Promise<void> {
    const wanted = Object.fromEntries(scopes.map((scope) => [scope, this.expect(scope)]));
    const { asker, subject } = this;
    const [batch, locked, ...singles] = await Promise.all([
      this.ask([...scopes, ...scopes.toReversed()].slice(0, 50)),
      this.ground.decideLocked({ asker, subject }, scopes),
      ...scopes.map((scope) => this.ask([scope])),
    ]);
    this.same('all probed at once', batch, { status: 200, body: wanted });
    this.same('decided under locks', locked, Object.values(wanted));
    scopes.forEach((scope, n) =>
      this.same('probed alone', singles[n], { status: 200, body: { [scope]: wanted[scope] } }),
    );
  }

  /** The real command; where it is allowed it succeeds, and the world has changed. */
  private async command(command: Command): Promise<void> {
    const { scope } = command;
    const { world, asker, step } = this;
    const verdict = this.expect(scope);
    const tenant = (asker.tenant ?? world.tenants[0]!).id;
    const id = this.subject?.id ?? tenant;
    const declared = scopesOfTenants(this.ground.registry);
    const deed = { world, asker, id, choice: step.choice, declared };
    const body = SCOPES[scope]?.body?.(deed);
    const reply = await this.send(command, { subject: id, tenant }, body);
    this.same(`commanded ${scope}`, outcomeOf(reply), verdict);
    if (verdict.allowed) SCOPES[scope]?.done?.(deed, body as never, reply.body as { id: string });
    this.count('command', scope, verdict);
  }

  /** What only a path can say: another tenant beside the subject, or an id that no subject could have. */
  private stray(command: Command): Promise<void>[] {
    const { world, asker, subject, step } = this;
    const tenant = (asker.tenant ?? world.tenants[0]!).id;
    const elsewhere = world.tenants.find(({ id }) => id !== tenant)!.id;
    const collection = command.collection;
    const nowhere = { module: 'iam', collection, id: step.nonsense };
    const asked: { subject: Subject; pathTenant: string }[] = [];
    if (command.namesTenant && subject)
      asked.push({ subject, pathTenant: step.choice % 2 ? elsewhere : ulid() });
    if (step.choice % 4 === 0) asked.push({ subject: nowhere, pathTenant: tenant });
    return asked.map(async (question) => {
      const pathTenant = command.namesTenant ? question.pathTenant : undefined;
      const verdict = expected(world, this.ground.registry, {
        asker,
        scope: command.scope,
        subject: question.subject,
        ...(pathTenant !== undefined && { pathTenant }),
      });
      const reply = await this.send(command, { subject: question.subject.id, tenant: question.pathTenant });
      this.same(`commanded ${command.scope} at ${JSON.stringify(question)}`, outcomeOf(reply), verdict);
      this.count('path', command.scope, verdict);
    });
  }

  /** Who has just left, or signed out, is not heard by either. */
  private async refused(command: Command): Promise<void> {
    const tenant = (this.asker.tenant ?? this.world.tenants[0]!).id;
    const replies = await Promise.all([
      this.ask([command.scope]),
      this.send(command, { subject: this.subject?.id ?? tenant, tenant }),
    ]);
    this.same(
      'asked by somebody gone',
      replies.map(({ status }) => status),
      [401, 401],
    );
  }

  private expect(scope: string): Verdict {
    const { asker, subject } = this;
    return expected(this.world, this.ground.registry, { asker, scope, subject });
  }

  private ask(scopes: readonly string[]): Promise<Reply> {
    const { subject } = this;
    const uri = subject && `gatehouse:///${subject.module}/${subject.collection}/${subject.id}`;
    return this.ground.line.call('POST', '/api/auth/can', this.token, {
      scopes,
      ...(uri && { subject: uri }),
    });
  }

  private send(command: Command, ids: { subject: string; tenant: string }, body?: object): Promise<Reply> {
    return this.ground.line.call(command.method, command.path(ids), this.token, body);
  }

  private count(kind: Kind, scope: string, verdict: Verdict): void {
    this.ground.tally.add(kind, scope, verdict);
  }

  private same(how: string, got: unknown, wanted: unknown): void {
    const [left, right] = [got, wanted].map((value) => JSON.stringify(value));
    if (left === right) return;
    const { user, tenant } = this.asker;
    const who = `${user.id} in ${tenant?.id ?? 'no tenant'} about ${JSON.stringify(this.subject)}`;
    throw new Error(`${how}: got ${left}, expected ${right}; ${who}`);
  }
}

/** The verdict that a command's answer amounts to. */
function outcomeOf({ status, body: { code, detail } }: Reply): unknown {
  if (status >= 200 && status < 300) return { allowed: true };
  const said = { allowed: false, code, reason: detail };
  return status === (code === 'subject_not_found' ? 404 : 403) ? said : { status, ...said };
}

function resolve(world: World, { user, tenant }: Asker, plan: SubjectPlan): Subject {
  const { module, collection, place, number } = plan;
  const here = tenant ?? world.tenants[0]!;
  const there = place === 'elsewhere' ? world.tenants.find((other) => other !== here)! : here;
  const sessions = [...world.sessions.values()].filter(
    ({ userId }) => (userId === user.id) === (place !== 'elsewhere'),
  );
  const ids: Record<string, readonly string[]> = {
    tenants: [there.id],
    members: [...there.members.keys()],
    roles: [...there.roles.keys()],
    invitations: [...there.invitations.keys()],
    sessions: sessions.map(({ id }) => id),
  };
  const all = ids[collection] ?? [];
  const id = place === 'nowhere' ? undefined : all[number % Math.max(1, all.length)];
  return {
    module,
    collection,
    id: place === 'here, in lower case' ? (id ?? ulid()).toLowerCase() : (id ?? ulid()),
  };
}

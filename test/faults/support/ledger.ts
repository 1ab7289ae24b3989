import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Fleet } from './fleet.js';
import { discrepancies } from './ledger-check.js';
import { Person, type Step, type World } from './person.js';
import { stepsOfPeople } from './steps-of-people.js';
import { stepsOfTenants } from './steps-of-tenants.js';
import { Line, Wire, type Sample } from './wire.js';

interface LedgerOptions {
  /** Steps that begin in a second, if there are people free to make them. */
  readonly rate: number;
  readonly people?: number;
  /** Where requests go; by default where the clients of the fleet go. */
  readonly targets?: readonly string[];
  /** False where an answer may be another release's. */
  readonly contract?: boolean;
}

const STEPS: readonly Step[] = [...stepsOfPeople, ...stepsOfTenants];
/** A request that nobody answered may still be carried out; whoever waited for it does nothing until that is over. */
const AFTER_SILENCE_MS = 3_000;

/**
 * People who register, sign in, refresh, log out, work in organizations and visit a satellite, all mixed, each one step at a time. What was
 * acknowledged to them is written down, and afterwards held against the service and its database.
 */
export class Ledger {
  readonly wire: Wire;
  private readonly world: Omit<World, 'wire'>;
  private readonly people: Person[];
  private readonly gone: Person[] = [];
  private readonly underWay = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private stopped = false;

  private constructor(
    private readonly fleet: Fleet,
    private readonly options: LedgerOptions,
    satellite: World['satellite'],
  ) {
    const { people = 30, targets = fleet.targets, contract = true } = options;
    this.wire = new Wire({ targets, contract });
    this.people = Array.from({ length: people }, () => new Person());
    this.world = { mailbox: fleet.mailbox, satellite, people: this.people };
  }

  /** Begins, and resolves when most people have an account and a session. */
  static async open(fleet: Fleet, options: LedgerOptions): Promise<Ledger> {
    const satellite = await fleet.registerSatellite(`satellite-${ulid().toLowerCase()}`);
    const ledger = new Ledger(fleet, options, satellite);
    ledger.running = ledger.run();
    for (const limit = Date.now() + 60_000; ledger.signedIn < ledger.people.length * 0.8; await sleep(100))
      if (Date.now() > limit) throw new Error(`Only ${ledger.signedIn} people could sign in.`);
    return ledger;
  }

  /** No further steps; resolves when those under way have ended. */
  async close(): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.underWay);
  }

  /** Closes, waits until the service has done what it had still to do, and says what is not as it was acknowledged: nothing, if all is well. */
  async check(patienceMs = 60_000): Promise<string[]> {
    await this.close();
    const { fleet, people, gone, world, wire } = this;
    await sleep(AFTER_SILENCE_MS);
    const found = await discrepancies([...people, ...gone], fleet, world.mailbox, patienceMs);
    return [...wire.faults, ...fleet.complaints, ...found];
  }

  /** Requests that were sent at or after the moment. */
  since(moment: number, until = Infinity): Sample[] {
    return this.wire.samples.filter(({ at }) => at >= moment && at < until);
  }

  /** The milliseconds from a moment until requests were all answered again; 0 if they always were. */
  recoveryAfter(moment: number): number {
    const last = this.since(moment).findLast(({ outcome }) => outcome !== 'answered');
    return last ? last.at + last.ms - moment : 0;
  }

  /** Honest clients that lost their session to an answer that was lost for longer than the retry window. */
  get signedOut(): number {
    return [...this.people, ...this.gone].reduce((sum, person) => sum + person.signedOut, 0);
  }

  get duplicateMails(): number {
    return this.world.mailbox.duplicates;
  }

  private get signedIn(): number {
    return this.people.filter(({ sessions }) => sessions.length > 0).length;
  }

  private async run(): Promise<void> {
    const began = performance.now();
    for (let n = 0; !this.stopped; n += 1) {
      await sleep(Math.max(0, began + (n * 1_000) / this.options.rate - performance.now()));
      const free = this.people.filter(({ busy }) => !busy);
      const person = free[Math.floor(Math.random() * free.length)];
      const step = person && this.choose(person);
      if (!person || !step) continue;
      const done = this.make(person, step).finally(() => this.underWay.delete(done));
      this.underWay.add(done);
    }
  }

  private choose(person: Person): Step | undefined {
    const possible = STEPS.filter(({ can }) => can(person, this.world));
    let left = Math.random() * possible.reduce((sum, { weight }) => sum + weight, 0);
    return possible.find(({ weight }) => (left -= weight) < 0);
  }

  private async make(person: Person, step: Step): Promise<void> {
    person.busy = true;
    const wire = new Line(this.wire);
    await step.run(person, { ...this.world, wire });
    if (person.stage === 'erased' || person.stage === 'lost') this.replace(person);
    if (wire.silent && !this.stopped) await sleep(AFTER_SILENCE_MS);
    person.busy = false;
  }

  private replace(person: Person): void {
    this.gone.push(person);
    this.people.splice(this.people.indexOf(person), 1, new Person());
  }
}

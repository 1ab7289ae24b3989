import { setTimeout as sleep } from 'node:timers/promises';
import { ulid } from 'ulid';
import type { Fleet, FleetDatabase } from './fleet.js';
import { discrepancies } from './ledger-check.js';
import { Person, type Step, type World } from './person.js';
import { stepsOfPeople } from './steps-of-people.js';
import { stepsOfTenants } from './steps-of-tenants.js';
import { Line, Wire, type Sample } from './wire.js';

interface LedgerOptions {
  /** Steps started per second, as far as users are free. */
  readonly rate: number;
  readonly people?: number;
  /** Addresses of the requests; by default those of the fleet's clients. */
  readonly targets?: readonly string[];
  /** False where an answer may be another release's. */
  readonly contract?: boolean;
}

const STEPS: readonly Step[] = [...stepsOfPeople, ...stepsOfTenants];
/**
 * Time for which an unanswered request may still be carried out; its user makes no step until then.
 */
const AFTER_SILENCE_MS = 3_000;

/**
 * Users who register, sign in, refresh, log out, work in organizations and visit a satellite,
 * mixed, each one step at a time. Records what was acknowledged to them, and compares it afterwards
 * with the service and its database.
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
    private readonly fleet: Fleet<FleetDatabase>,
    private readonly options: LedgerOptions,
    satellite: World['satellite'],
  ) {
    const { people = 30, targets = fleet.targets, contract = true } = options;
    this.wire = new Wire({ targets, contract });
    this.people = Array.from({ length: people }, () => new Person());
    this.world = { mailbox: fleet.mailbox, satellite, people: this.people };
  }

  /** Starts the load. Resolves when most users have an account and a session. */
  static async open(fleet: Fleet<FleetDatabase>, options: LedgerOptions): Promise<Ledger> {
    const satellite = await fleet.registerSatellite(`satellite-${ulid().toLowerCase()}`);
    const ledger = new Ledger(fleet, options, satellite);
    ledger.running = ledger.run();
    for (const limit = Date.now() + 60_000; ledger.signedIn < ledger.people.length * 0.8; await sleep(100))
      if (Date.now() > limit) throw new Error(`Only ${ledger.signedIn} people could sign in.`);
    return ledger;
  }

  /** Stops the load. Resolves when the steps in flight have ended. */
  async close(): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.underWay);
  }

  /**
   * Closes, waits until the service has no pending work, and compares.
   * @returns a line for each deviation from what was acknowledged
   */
  async check(patienceMs = 60_000): Promise<string[]> {
    await this.close();
    const { fleet, people, gone, world, wire } = this;
    await sleep(AFTER_SILENCE_MS);
    const found = await discrepancies([...people, ...gone], fleet, world.mailbox, patienceMs);
    return [...wire.faults, ...fleet.complaints, ...found];
  }

  /** Returns the requests that were sent at or after the moment. */
  since(moment: number, until = Infinity): Sample[] {
    return this.wire.samples.filter(({ at }) => at >= moment && at < until);
  }

  /**
   * Returns the milliseconds from a moment until all requests were answered again; 0 if all were.
   */
  recoveryAfter(moment: number): number {
    const last = this.since(moment).findLast(({ outcome }) => outcome !== 'answered');
    return last ? last.at + last.ms - moment : 0;
  }

  /**
   * Returns the number of honest clients that lost their session because an answer was lost for
   * longer than the retry window.
   */
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

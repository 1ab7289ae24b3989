import { Look, type Ground } from './look.js';
import type { Step } from './plan.js';
import { subjectOf } from './subject.js';
import type { World } from './world.js';

/** Compares and acts step by step, each in the state that the last step has left. */
export async function walk(ground: Ground, world: World, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const user = world.users[step.user]!;
    if (user.session.state !== 'alive') continue;
    const tenants = world.tenantsOf(user);
    const tenant = step.tenant === null ? null : (tenants[step.tenant % tenants.length] ?? null);
    const clients = [...world.satellites.values()].filter(({ disabled }) => !disabled);
    const client = step.client === null ? null : (clients[step.client % clients.length] ?? null);
    const { signedInAgo, factor } = step;
    const machines = step.machine === null || tenant === null ? [] : world.machinesOf(tenant);
    const other = world.tenants.find(({ id }) => id !== tenant?.id)!;
    const assurer = step.assured === 'by the selected tenant' ? (tenant ?? other) : other;
    const assuredBy = step.assured === null ? null : assurer.id;
    const person = { user, tenant, client, signedInAgo, factor, assuredBy, key: null };
    const caller = { ...person, ...machines[(step.machine ?? 0) % machines.length] };
    const subject = step.subject && subjectOf(world, caller, step.subject);
    await new Look(ground, world, caller, subject, step).compare();
  }
}

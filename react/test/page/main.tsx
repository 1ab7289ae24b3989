import { browserStorage, createPasskey, Gatehouse, type ClientEvents } from '@gatehouse/client';
import { GatehouseProvider } from '@gatehouse/react';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { SCENARIOS, type Scenario } from './scenarios.tsx';

/** A client that counts the listeners that the hooks have added and not removed. */
class WatchedClient extends Gatehouse {
  listeners = 0;

  override on<Name extends keyof ClientEvents>(
    name: Name,
    listener: (event: ClientEvents[Name]) => void,
  ): () => void {
    const remove = super.on(name, listener);
    this.listeners += 1;
    return () => {
      this.listeners -= 1;
      remove();
    };
  }
}

/** Among cookies of the service, which has the same host. */
const [, url = ''] = /(?:^|; )service=([^;]*)/.exec(document.cookie) ?? [];
/** Subjects of the permission checks that were sent. */
const probes: (string | null)[] = [];
const client = new WatchedClient({
  url: decodeURIComponent(url),
  storage: browserStorage(),
  fetch: async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith('/api/auth/can'))
      probes.push(((await request.clone().json()) as { subject?: string }).subject ?? null);
    return fetch(request);
  },
});
const container = document.querySelector('#root')!;
let root: Root | null = null;

const tree = (scenario: Scenario) => (
  <StrictMode>
    <GatehouseProvider client={client}>{SCENARIOS[scenario]}</GatehouseProvider>
  </StrictMode>
);

const PASSKEYS = '/api/v1/iam/me/authenticators/passkeys';

/** What the tests call. */
const harness = {
  client,
  probes,
  /** Adds a passkey of this browser to the account. */
  async addPasskey(): Promise<void> {
    const { data } = await client.post(`${PASSKEYS}/options`);
    await client.post(PASSKEYS, { body: await createPasskey(data) });
  },
  show(scenario: Scenario): void {
    root ??= createRoot(container);
    root.render(tree(scenario));
  },
  /** Renders as a server does, and hydrates. @returns what a server sends */
  hydrate(scenario: Scenario): string {
    const html = renderToString(tree(scenario));
    container.innerHTML = html;
    root = hydrateRoot(container, tree(scenario));
    return html;
  },
  unmount(): void {
    root?.unmount();
    root = null;
  },
};
export type Harness = typeof harness;
Object.assign(globalThis, { harness });

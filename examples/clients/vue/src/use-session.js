import { browserStorage, Gatehouse } from '@gatehouse/client';
import { reactive, readonly } from 'vue';

export const gatehouse = new Gatehouse({
  url: import.meta.env.VITE_GATEHOUSE_URL,
  storage: browserStorage(),
});

/** The sign-in of this tab: `loading` until the storage has been read. */
const session = reactive({ status: 'loading', sessionId: null, tenantId: null });

function update() {
  const { sessionId, tenantId } = gatehouse;
  Object.assign(session, { status: sessionId ? 'signed-in' : 'signed-out', sessionId, tenantId });
}
for (const name of ['signed-in', 'signed-out', 'tenant']) gatehouse.on(name, update);
gatehouse.isSignedIn().then(update, update);

export const useSession = () => readonly(session);

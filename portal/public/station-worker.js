// Shows the page of a station without a network, from what src/pages/station/offline-page.ts keeps.
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  if (pathname.startsWith('/api/')) return; // nothing of a person passes through here
  event.respondWith(
    fetch(event.request).catch(async (error) => {
      const file = mode === 'navigate' ? '/station' : pathname;
      const kept = await caches.match(file);
      if (kept) return kept;
      throw error;
    }),
  );
});

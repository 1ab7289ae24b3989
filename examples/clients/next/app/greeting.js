'use client';

import { useGatehouse, useSignOut } from '@gatehouse/react';
import { useEffect, useState } from 'react';

// Calls this app's own route handler as the user.
async function greet(client) {
  const authorization = `Bearer ${await client.accessToken()}`; // for each request: it is renewed
  const response = await fetch('/api/greeting', { headers: { authorization } });
  return (await response.json()).greeting;
}

export function Greeting() {
  const client = useGatehouse();
  const { signOut } = useSignOut();
  const [greeting, setGreeting] = useState('One moment …');
  useEffect(() => {
    greet(client).then(setGreeting, ({ message }) => setGreeting(message));
  }, [client]);
  return (
    <>
      <h1>{greeting}</h1>
      <button onClick={() => void signOut()}>Sign out</button>
    </>
  );
}

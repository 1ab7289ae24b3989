// An app in one page: it begins a sign-in elsewhere, takes what comes back in the fragment, and shows who has come.
const { gatehouse, ways } = await (await fetch('/setup.json')).json();
const found = (id) => document.getElementById(id);

const wanted = new URLSearchParams(location.search);
const landed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
history.replaceState(null, '', '/'); // neither is to be in the history, nor to be done again

try {
  if (wanted.has('kind')) await leave(wanted.get('kind'), wanted.get('form') === 'tokens');
  else if (landed.state) await arrive(landed);
} catch (error) {
  say('That did not work', error.message);
}
offer();

/** The code form, in which no token is ever in an address: the verifier stays here. The tokens form needs none. */
async function leave(kind, asTokens) {
  const verifier = encode(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const begun = await call('POST', `/api/iam/auth/external/${kind}/start`, {
    returnUri: location.origin,
    ...(!asTokens && { codeChallenge: encode(new Uint8Array(digest)) }),
  });
  sessionStorage.setItem('flow', JSON.stringify({ state: begun.state, verifier }));
  location.assign(begun.authorizationUrl);
  await new Promise(() => {}); // the page is on its way out
}

async function arrive({ state, error, error_description: description, code, access_token: token }) {
  const flow = JSON.parse(sessionStorage.getItem('flow') ?? 'null');
  sessionStorage.removeItem('flow');
  if (flow?.state !== state) return say('Not signed in', 'This sign-in was not begun in this browser.');
  if (error) return show('Not signed in', description, { error });
  const { accessToken } = code
    ? await call('POST', '/api/v1/iam/auth/external/token', { code, codeVerifier: flow.verifier })
    : { accessToken: token };
  const me = await call('GET', '/api/v1/iam/me', undefined, accessToken);
  const { items: identities } = await call('GET', '/api/v1/iam/me/identities', undefined, accessToken);
  show(
    `Signed in${me.firstName ? ` as ${me.firstName}` : ''}`,
    `By ${code ? 'a code' : 'tokens in the fragment'}.`,
    {
      'who am I': me,
      'my identities': identities,
      'claims of the access token': JSON.parse(
        atob(accessToken.split('.')[1].replace(/-/g, '+').replace(/_/g, '/')),
      ),
    },
  );
}

async function call(method, path, body, token) {
  const response = await fetch(`${gatehouse}${path}`, {
    method,
    // A sign-in that ends in tokens is bound to this browser by a cookie. CORS allows it there alone.
    credentials: path.endsWith('/start') ? 'include' : 'same-origin',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.title}: ${answer.detail}`);
  return answer;
}

function say(heading, words) {
  found('heading').textContent = heading;
  found('words').textContent = words;
}

function show(heading, words, parts) {
  say(heading, words);
  for (const [name, value] of Object.entries(parts)) {
    const title = Object.assign(document.createElement('h2'), { textContent: name });
    const text = Object.assign(document.createElement('pre'), {
      textContent: JSON.stringify(value, null, 2),
    });
    found('result').append(title, text);
  }
}

function offer() {
  for (const { kind, title } of ways)
    for (const form of ['code', 'tokens']) {
      const href = `/?${new URLSearchParams({ kind, form })}`;
      const textContent = `${title}, by ${form}`;
      found('ways').append(
        Object.assign(document.createElement('a'), { href, textContent, className: 'button' }),
      );
    }
}

function encode(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

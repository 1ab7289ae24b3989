#!/usr/bin/env bash
# @badgateway/oauth2-client 3.3.1: a token that lives for more than 24.8 days is refreshed without a pause.
#
# Behaviour: OAuth2Fetch refreshes in the background a minute before the token ends (scheduleRefresh, on
# by default), by one setTimeout. Its time has 31 bits in Node.js, which is 24.8 days of
# milliseconds; for a longer one, the timer fires at once, the new token is as long, and so on.
# Consequence: with a provider whose access tokens live for 30 or 60 days, one app sends hundreds of
# refreshes in a second: it runs into rate limits, and each rotation makes a refresh token. With a day it
# works, and no test waits for the refresh. Set scheduleRefresh: false: it refreshes when it is asked.
# Output: for each lifetime in days, whether the token endpoint is asked within half a second, and how
# often; the last line without the schedule
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @badgateway/oauth2-client@3.3.1 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { OAuth2Client, OAuth2Fetch } from '@badgateway/oauth2-client';

const DAY = 86_400;
async function outcome(days, options) {
  let asked = 0;
  const answer = () => ({ access_token: 'a', refresh_token: `r${(asked += 1)}`, token_type: 'bearer', expires_in: days * DAY });
  const client = new OAuth2Client({
    server: 'https://login.example.com',
    clientId: 'app',
    // No more than a few, so that it ends.
    fetch: async () => (asked < 20 ? Response.json(answer()) : new Promise(() => undefined)),
  });
  const token = { accessToken: 'a', refreshToken: 'r', expiresAt: Date.now() + days * DAY * 1_000 };
  const wrapper = new OAuth2Fetch({ client, getNewToken: () => token, ...options });
  await wrapper.getAccessToken();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return `${days} days: ${asked === 0 ? 'not asked' : asked < 20 ? `asked ${asked} times` : 'asked 20 times and more'}`;
}
const lines = [
  await outcome(1),
  await outcome(24),
  await outcome(25),
  await outcome(60),
  await outcome(60, { scheduleRefresh: false }),
];
console.log(lines.join('\n'));
const expected = [
  '1 days: not asked',
  '24 days: not asked',
  '25 days: asked 20 times and more',
  '60 days: asked 20 times and more',
  '60 days: not asked',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs 2>/dev/null

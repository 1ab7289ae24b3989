#!/usr/bin/env bash
# needle 3.5.0, @octokit/request 10.0.16: an error of RFC 9457 is not read as JSON.
#
# Behaviour: needle parses application/json, and hands application/problem+json and application/scim+json (RFC
# 7644, section 3.1) on as text. request() of Octokit parses JSON, scim+json too, and gives an ArrayBuffer for
# problem+json; the message of its error is "Unknown error" without title and detail, which it has by JSON.
# superagent 10.4.2, axios 1.21.1 and typed-rest-client 3.1.2 read all three.
# Consequence: code that reads body.title or body.code finds undefined as soon as a service moves its errors
# to the standard type, while its other answers work; by needle, each answer of SCIM is such a text.
# Output: for each type, what a client makes of it, and the message of Octokit's error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts needle@3.5.0 @octokit/request@10.0.16 superagent@10.4.2 \
  axios@1.21.1 typed-rest-client@3.1.2 >/dev/null 2>&1
cat >run.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from '@octokit/request';
import axios from 'axios';
import needle from 'needle';
import superagent from 'superagent';
import { RestClient } from 'typed-rest-client/RestClient.js';

const server = createServer(({ url }, response) => {
  response.writeHead(400, { 'content-type': `application/${url.slice(1)}` });
  response.end(JSON.stringify({ title: 'Expired', detail: 'The code has expired.' }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${server.address().port}`;
const refusal = (call) => call.then(() => undefined, (error) => error);
const CLIENTS = {
  needle: async (address) => (await needle('get', address)).body,
  octokit: async (address) => (await refusal(request(`GET ${address}`))).response.data,
  superagent: async (address) => (await refusal(superagent.get(address))).response.body,
  axios: async (address) => (await refusal(axios.get(address))).response.data,
  'typed-rest-client': async (address) => (await refusal(new RestClient('app').get(address))).result,
};
const kind = (body) => (body.title === 'Expired' ? 'read' : body.constructor.name);
const lines = [];
for (const [name, bodyOf] of Object.entries(CLIENTS)) {
  const kinds = [];
  for (const type of ['json', 'problem+json', 'scim+json']) kinds.push(`${type} ${kind(await bodyOf(`${origin}/${type}`))}`);
  lines.push(`${name}: ${kinds.join(', ')}`);
}
for (const type of ['json', 'problem+json'])
  lines.push(`octokit, ${type}: ${(await refusal(request(`GET ${origin}/${type}`))).message}`);
console.log(lines.join('\n'));
server.close();
const all = 'json read, problem+json read, scim+json read';
const expected = [
  'needle: json read, problem+json String, scim+json String',
  'octokit: json read, problem+json ArrayBuffer, scim+json read',
  `superagent: ${all}`,
  `axios: ${all}`,
  `typed-rest-client: ${all}`,
  'octokit, json: Unknown error: {"title":"Expired","detail":"The code has expired."}',
  'octokit, problem+json: Unknown error',
];
process.exit(lines.join() === expected.join() ? 0 : 1);
JS
timeout 60 node run.mjs

import { readFileSync } from 'node:fs';

/**
 * Where the time of a V8 profile went: shares by place (the code itself) and by function with all that it calls.
 * @param skipSeconds of its beginning: the start, and code that is not compiled yet
 */
export function summarize(file, skipSeconds = 0) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const own = new Map();
  const whole = new Map();
  let total = 0;
  let elapsed = 0;
  samples.forEach((id, n) => {
    const time = timeDeltas[n];
    elapsed += time;
    if (elapsed < skipSeconds * 1e6) return;
    const node = byId.get(id);
    if (['(idle)', '(program)'].includes(node.callFrame.functionName)) return;
    total += time;
    add(own, placeOf(node), time);
    const stack = new Set();
    for (let at = node; at; at = at.parent) stack.add(nameOf(at));
    for (const name of stack) add(whole, name, time);
  });
  const shares = (map) =>
    [...map].map(([name, time]) => ({ name, share: time / total })).sort((a, b) => b.share - a.share);
  return { own: shares(own), whole: shares(whole) };
}

const add = (map, key, time) => map.set(key, (map.get(key) ?? 0) + time);

function fileOf({ url }) {
  const [, path = url] = /\/(node_modules\/.*|dist\/.*)$/.exec(url) ?? [];
  return path;
}

/** A package, a file of ours, or what the engine calls itself. */
function placeOf({ callFrame }) {
  const file = fileOf(callFrame);
  const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  return name ?? (file === '' ? callFrame.functionName : file);
}

function nameOf({ callFrame }) {
  return `${callFrame.functionName || '(anonymous)'} ${fileOf(callFrame)}:${callFrame.lineNumber + 1}`;
}

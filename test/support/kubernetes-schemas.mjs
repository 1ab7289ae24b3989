// Reads Kubernetes objects as a JSON array from stdin and prints, for each, its violations of the
// published schemas. Runs outside Jest, which does not resolve packages that export ESM only.
import { text } from 'node:stream/consumers';

const objects = JSON.parse(await text(process.stdin));
const problems = [];
for (const object of objects) problems.push(await problemsOf(object));
process.stdout.write(JSON.stringify(problems));

async function problemsOf({ apiVersion, kind, ...rest }) {
  const { validate } = await import(`kubernetes-models/_schemas/${schemaOf(apiVersion, kind)}`);
  const unread = new Map();
  const valid = validate(watched({ apiVersion, kind, ...rest }, '', unread));
  const errors = valid
    ? []
    : validate.errors.map(({ instancePath, message, keyword }) => `${instancePath}: ${message ?? keyword}`);
  return [
    ...errors,
    ...[...unread.values()].flatMap((paths) => [...paths].map((path) => `${path}: unknown`)),
  ];
}

/** `networking.k8s.io/v1` and `NetworkPolicy` make `IoK8sApiNetworkingV1NetworkPolicy`. */
function schemaOf(apiVersion, kind) {
  const [version, group = 'core'] = apiVersion.split('/').toReversed();
  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  return `IoK8sApi${capital(group.split('.')[0])}${capital(version)}${kind}`;
}

/**
 * Finds keys that the schemas do not name, which they allow. A validator reads each key that it
 * knows, so a key that it has not read is unknown.
 * @param unread the paths of such keys, by the object that has them
 */
function watched(value, path, unread) {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  if (!isList) unread.set(path, new Set(Object.keys(value).map((key) => `${path}/${key}`)));
  const children = new Map();
  return new Proxy(value, {
    get(target, key) {
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return target[key];
      unread.get(path)?.delete(`${path}/${key}`);
      if (!children.has(key)) children.set(key, watched(target[key], `${path}/${key}`, unread));
      return children.get(key);
    },
  });
}

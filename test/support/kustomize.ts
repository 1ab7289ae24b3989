import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export type Manifest = Record<string, unknown> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
};

interface Kustomization {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resources: readonly string[];
  readonly namespace?: string;
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
  readonly patches?: readonly { readonly path: string }[];
}

const KEYS = ['apiVersion', 'kind', 'resources', 'namespace', 'images', 'patches'];

export const readManifest = (path: string): Manifest => parse(readFileSync(path, 'utf8')) as Manifest;

/**
 * Renders a folder as `kubectl kustomize` does, as far as this project uses kustomize: resources, a
 * namespace, images, and patches that change no list.
 * @throws {Error} for anything else
 */
export function kustomize(folder: string): Manifest[] {
  const file = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(file).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) throw new Error(`${folder}: unknown ${unknown.join(', ')}.`);
  let manifests = file.resources.flatMap((name) =>
    name.endsWith('.yaml') ? [readManifest(join(folder, name))] : kustomize(join(folder, name)),
  );
  for (const { path } of file.patches ?? []) {
    const patch = readManifest(join(folder, path));
    const target = manifests.find((one) => idOf(one) === idOf(patch));
    if (target === undefined) throw new Error(`${path} patches ${idOf(patch)}, which is not there.`);
    manifests = manifests.map((one) => (one === target ? (merged(one, patch) as Manifest) : one));
  }
  for (const { name, newName, newTag } of file.images ?? []) {
    const text = JSON.stringify(manifests);
    const replaced = text.replaceAll(
      new RegExp(`"image":"${name}:[^"]+"`, 'g'),
      `"image":"${newName}:${newTag}"`,
    );
    if (text === replaced) throw new Error(`No image is called ${name}.`);
    manifests = JSON.parse(replaced) as Manifest[];
  }
  const { namespace } = file;
  if (namespace === undefined) return manifests;
  return manifests.map((one) =>
    one.kind === 'Namespace' ? one : { ...one, metadata: { ...one.metadata, namespace } },
  );
}

const idOf = ({ apiVersion, kind, metadata }: Manifest): string =>
  [apiVersion, kind, metadata.name].join(' ');

function merged(value: unknown, patch: unknown): unknown {
  if (Array.isArray(value) || Array.isArray(patch)) throw new Error('A patch changes a list.');
  if (typeof value !== 'object' || typeof patch !== 'object' || !value || !patch) return patch;
  const entries = Object.entries(patch).map(([key, part]) => {
    const old = (value as Record<string, unknown>)[key];
    return [key, old === undefined ? part : merged(old, part)];
  });
  return { ...value, ...(Object.fromEntries(entries) as object) };
}

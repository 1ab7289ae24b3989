const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');
const { promisify } = require('node:util');

const { generateKeyPair, generateKeyPairSync } = crypto;
const generate = promisify(generateKeyPair);

/** Key pairs of this worker by their options, in the order in which a spec file gets them. */
const pairs = new Map();
/** Number of key pairs that the spec file has got, by their options. */
let taken = new Map();

/**
 * Gives a spec file the RSA key pairs that earlier files of this worker have generated: one of
 * 3,072 bits takes 0.3 s of processor time, and each application with connections has two. The
 * pairs of one spec file differ. Keys with another form than that of key objects are as ever.
 */
exports.shareKeyPairs = () => {
  crypto.generateKeyPairSync = (type, options) => {
    const place = placeOf(type, options);
    if (!place) return generateKeyPairSync(type, options);
    return (place.list[place.index] ??= generateKeyPairSync(type, options));
  };
  crypto.generateKeyPair = (type, options, callback) => {
    crypto.generateKeyPair[promisify.custom](type, options).then(
      ({ publicKey, privateKey }) => callback(null, publicKey, privateKey),
      callback,
    );
  };
  crypto.generateKeyPair[promisify.custom] = async (type, options) => {
    const place = placeOf(type, options);
    if (!place) return generate(type, options);
    return (place.list[place.index] ??= await generate(type, options));
  };
  syncBuiltinESMExports();
};

/** Begins a spec file, which gets each key pair once. */
exports.forgetTaken = () => {
  taken = new Map();
};

/** Takes the place of the next key pair; undefined for keys that are not shared. */
function placeOf(type, options) {
  if (type !== 'rsa' || options.publicKeyEncoding || options.privateKeyEncoding) return undefined;
  const key = JSON.stringify(options);
  const list = pairs.get(key) ?? [];
  pairs.set(key, list);
  const index = taken.get(key) ?? 0;
  taken.set(key, index + 1);
  return { list, index };
}

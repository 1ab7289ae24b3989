import { constants, createHash, privateDecrypt } from 'node:crypto';

/** Hash functions, by the names of Node.js. */
export type OaepHash = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/**
 * Decrypts a key by RSA-OAEP without a label (RFC 8017 section 7.1.2). Node.js has one hash for the
 * digest and the mask; standards have two, and Keycloak combines SHA-256 with a mask by SHA-1.
 * @param privateKey in PEM
 * @throws {Error} if it does not decrypt
 */
export function decryptOaep(
  privateKey: string,
  wrapped: Buffer,
  digest: OaepHash,
  maskHash: OaepHash,
): Buffer {
  if (digest === maskHash)
    return privateDecrypt(
      { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: digest },
      wrapped,
    );
  const block = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, wrapped);
  return removePadding(block, digest, maskHash);
}

/**
 * EME-OAEP decoding. The faults are added up and told by one error, in the same time: which of them
 * it is would let a sender decrypt keys of others (Manger).
 */
function removePadding(block: Buffer, digest: OaepHash, maskHash: OaepHash): Buffer {
  const emptyLabel = createHash(digest).digest();
  const { length: hashBytes } = emptyLabel;
  const maskedSeed = block.subarray(1, 1 + hashBytes);
  const maskedData = block.subarray(1 + hashBytes);
  const seed = xor(maskedSeed, mask(maskedData, hashBytes, maskHash));
  const data = xor(maskedData, mask(seed, maskedData.length, maskHash));
  let faults = block[0] ?? 1;
  for (const [n, byte] of emptyLabel.entries()) faults |= byte ^ (data[n] ?? 0);
  // After the hash of the label: zeros, a one, the message.
  let isPadding = 1;
  let start = data.length;
  for (let n = hashBytes; n < data.length; n += 1) {
    const byte = data[n] ?? 0;
    const isOne = Number(byte === 1) & isPadding;
    faults |= isPadding & ~isOne & Number(byte !== 0);
    start = isOne * (n + 1) + (1 - isOne) * start;
    isPadding &= 1 - isOne;
  }
  if ((faults | isPadding) !== 0) throw new Error('The padding is not valid.');
  return data.subarray(start);
}

/** MGF1 (RFC 8017 appendix B.2.1). */
function mask(seed: Buffer, bytes: number, hash: OaepHash): Buffer {
  const parts: Buffer[] = [];
  for (let counter = 0, length = 0; length < bytes; counter += 1) {
    const part = createHash(hash)
      .update(seed)
      .update(Buffer.from([counter >>> 24, counter >>> 16, counter >>> 8, counter]))
      .digest();
    parts.push(part);
    length += part.length;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

const xor = (one: Buffer, other: Buffer): Buffer => Buffer.from(one.map((byte, n) => byte ^ (other[n] ?? 0)));
